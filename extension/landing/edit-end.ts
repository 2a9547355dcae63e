import type { EditEnd } from '#protocol/landing-api.ts';

/** A file that has been edited, in its editor and on the disk. */
export interface EditedFile {
  readonly isDirty: boolean;
  readonly isClosed: boolean;
  /** Rejects when the document was closed meanwhile. */
  save(): Thenable<boolean>;
  /** What would be in the file if the document were saved now. */
  bytes(): Promise<Uint8Array>;
  /** Rejects when nothing is there. */
  onDisk(): Promise<Uint8Array>;
}

/**
 * What came of an edit that the editor has taken, told by what really stands there: whatever happens to its document
 * meanwhile, the step has an end. Before the edit, the disk held `disk`.
 */
export async function endOfEdit(
  file: EditedFile,
  disk: Uint8Array | undefined,
  wasClean: boolean,
): Promise<EditEnd> {
  try {
    if (wasClean) await file.save();
  } catch {
    // It is not saved, or not open any more: what stands there shows it.
  }
  try {
    if (!file.isClosed)
      return { kind: 'applied', bytes: await file.bytes(), saved: wasClean && !file.isDirty };
  } catch {
    // The disk tells what is left of it.
  }
  try {
    const bytes = await file.onDisk();
    // Closed without being saved: the edit has gone with its document.
    if (disk !== undefined && Buffer.compare(bytes, disk) === 0) return { kind: 'refused' };
    return { kind: 'applied', bytes, saved: true };
  } catch {
    return { kind: 'refused' };
  }
}
