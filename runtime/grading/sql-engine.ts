/** A value as JSON has it. */
export type SqlValue = string | number | boolean | null;

export type EngineAnswer =
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly SqlValue[])[];
    }
  /** The engine refused the statement, in its own words. */
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** It gave no answer at all: it died, hung or wrote something else. It will not answer any more. */
  | { readonly kind: 'broken'; readonly reason: string };

/** What is graded. It keeps its tables from one statement to the next. */
export interface SqlEngine {
  /** Never rejects. */
  execute(sql: string): Promise<EngineAnswer>;
}
