import { createLogUpdate } from 'log-update';
import type { RunEvent } from '#protocol/events.ts';
import type { RunState } from '#protocol/projection.ts';
import { eventLine } from './event-lines.ts';
import type { Host } from './host.ts';
import { canRepaint, hasColour, type Output } from './output.ts';
import { playbookNotice, renderScreen } from './terminal-view.ts';
import { cutToWidth, duration } from './text.ts';

/** Shows a run while it goes on. */
export interface Progress {
  /** After the event was folded into the state. */
  event(event: RunEvent): void;
  /** A line that stays. */
  notice(text: string): void;
  /** Paints what is left and gives the terminal back. */
  stop(): void;
}

/** At most eight screens a second: more cannot be read, and costs the machine that builds. */
const paintInterval = 125;

/** A line tells that something happened; `log` shows all of its words. */
const lineColumns = 160;

/** A screen where it can be drawn over, else a line for each event of interest. */
export function startProgress(host: Host, output: Output, state: RunState): Progress {
  return canRepaint(output.people, host.environment)
    ? new LiveScreen(host, output, state)
    : new PlainLines(output, state);
}

class LiveScreen implements Progress {
  readonly #host: Host;
  readonly #output: Output;
  readonly #state: RunState;
  readonly #paint: ReturnType<typeof createLogUpdate>;
  readonly #times: { lastEvent: number | undefined; green: number | undefined } = {
    lastEvent: undefined,
    green: undefined,
  };
  #cancelNext: (() => void) | undefined;
  #lastPaint = 0;
  #stopped = false;

  constructor(host: Host, output: Output, state: RunState) {
    this.#host = host;
    this.#output = output;
    this.#state = state;
    this.#paint = createLogUpdate(output.people);
    this.#draw();
  }

  event(event: RunEvent): void {
    this.#times.lastEvent = event.time;
    if (event.type === 'verify.passed') this.#times.green = event.time;
    this.#drawSoon(Math.max(0, this.#lastPaint + paintInterval - this.#host.edges.clock.now()));
  }

  notice(text: string): void {
    this.#paint.persist(this.#output.redact(text));
    this.#draw();
  }

  stop(): void {
    if (this.#stopped) return;
    this.#draw();
    this.#stopped = true;
    this.#cancelNext?.();
    this.#paint.done();
  }

  #drawSoon(milliseconds: number): void {
    if (this.#stopped) return;
    this.#cancelNext?.();
    this.#cancelNext = this.#host.edges.scheduler.after(milliseconds, () => {
      this.#draw();
    });
  }

  #draw(): void {
    if (this.#stopped) return;
    const now = this.#host.edges.clock.now();
    this.#lastPaint = now;
    const { people } = this.#output;
    const size = {
      columns: people.columns ?? 80,
      rows: people.rows ?? 24,
      colour: hasColour(people, this.#host.environment),
    };
    const lines = renderScreen(this.#state, size, { now, ...this.#times });
    this.#paint(this.#output.redact(lines.join('\n')));
    // Ages move on although nothing happens.
    this.#drawSoon(1000);
  }
}

class PlainLines implements Progress {
  readonly #output: Output;
  readonly #state: RunState;

  constructor(output: Output, state: RunState) {
    this.#output = output;
    this.#state = state;
    const notice = playbookNotice(state.options?.models);
    if (notice !== undefined) this.notice(notice);
  }

  event(event: RunEvent): void {
    const { always, label, text } = eventLine(event);
    if (!always) return;
    const worked = duration(this.#state.workedMilliseconds).padStart(8);
    this.notice(`${worked}  ${label.padEnd(9)}  ${cutToWidth(text, lineColumns)}`.trimEnd());
  }

  notice(text: string): void {
    this.#output.line(text);
  }

  stop(): void {
    // Nothing was taken.
  }
}
