import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { splitLimits } from './ui-state.ts';
import { l10n } from './words.ts';

const keyStep = 0.02;

export interface SashProps {
  /** The part of the width that is left of it, 0 to 1. */
  readonly split: number;
  readonly onMove: (split: number) => void;
}

/** What moves the border between tree and details, by pointer and by arrow keys. */
export function Sash({ split, onMove }: SashProps): ReactNode {
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    if (frame) onMove((event.clientX - frame.left) / frame.width);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(split + step);
  };
  const percent = (part: number): number => Math.round(part * 100);
  return (
    <div
      role="separator"
      className="sash"
      aria-label={l10n.t('Width of the tree')}
      aria-orientation="vertical"
      aria-valuenow={percent(split)}
      aria-valuemin={percent(splitLimits.least)}
      aria-valuemax={percent(splitLimits.most)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that can be moved has the focus
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
}
