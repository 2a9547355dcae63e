import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { splitLimits } from './ui-state.ts';
import { l10n } from './words.ts';

const keyStep = 0.02;

function percent(part: number): number {
  return Math.round(part * 100);
}

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
  return (
    <div
      // A separator that can be moved is a control, which a line is not.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      className="sash"
      aria-label={l10n.t('Width of the tree')}
      aria-orientation="vertical"
      aria-valuenow={percent(split)}
      aria-valuemin={percent(splitLimits.least)}
      aria-valuemax={percent(splitLimits.most)}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
}
