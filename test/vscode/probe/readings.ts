/** One line of the file that `readingsVariable` names. */
export type Reading =
  /** How late a timer of 5 ms came while the meter ran. Milliseconds. */
  | {
      readonly kind: 'drift';
      readonly count: number;
      readonly median: number;
      readonly p99: number;
      readonly max: number;
    }
  /** When the command that opens the dashboard was called. Milliseconds since 1970, with fractions. */
  | { readonly kind: 'dashboard-asked'; readonly at: number };

export const readingsVariable = 'SWARMWRIGHT_PROBE_READINGS';
