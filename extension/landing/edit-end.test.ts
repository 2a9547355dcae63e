import { expect, it } from 'vitest';
import { endOfEdit, type EditedFile } from './edit-end.ts';

/** What the disk holds before the edit. */
const before = Buffer.from('before');
const after = Buffer.from('after');

/** A document as an editor has it: what is closed can neither be saved nor encoded. */
class OpenedFile implements EditedFile {
  isDirty = true;
  isClosed = false;
  canSave = true;
  canEncode = true;
  disk: Uint8Array | undefined = before;

  async save(): Promise<boolean> {
    if (this.isClosed) throw new Error('Document has been closed');
    if (!this.canSave) return false;
    this.disk = after;
    this.isDirty = false;
    return true;
  }
  async bytes(): Promise<Uint8Array> {
    if (!this.canEncode) throw new Error('the editor is gone');
    return after;
  }
  async onDisk(): Promise<Uint8Array> {
    if (this.disk === undefined) throw new Error('ENOENT');
    return this.disk;
  }
}

function opened(changed: Partial<OpenedFile> = {}): OpenedFile {
  return Object.assign(new OpenedFile(), changed);
}

it('a file that was saved before is saved', async () => {
  const file = opened();
  expect(await endOfEdit(file, before, true)).toEqual({ kind: 'applied', bytes: after, saved: true });
  expect(file.disk).toEqual(after);
});

it('a file that was not saved before is not, and neither is one that the disk refuses', async () => {
  const unsaved = { kind: 'applied', bytes: after, saved: false };
  expect(await endOfEdit(opened(), before, false)).toEqual(unsaved);
  expect(await endOfEdit(opened({ canSave: false }), before, true)).toEqual(unsaved);
});

it('an edit whose document was closed without being saved was not made', async () => {
  expect(await endOfEdit(opened({ isClosed: true }), before, true)).toEqual({ kind: 'refused' });
  expect(await endOfEdit(opened({ isClosed: true }), before, false)).toEqual({ kind: 'refused' });
});

it('an edit whose document was saved and closed meanwhile stands on the disk', async () => {
  const file = opened({ isClosed: true, disk: after });
  expect(await endOfEdit(file, before, true)).toEqual({ kind: 'applied', bytes: after, saved: true });
});

it('an edit has an end also where neither the editor nor the disk can tell', async () => {
  const file = opened({ isClosed: true, canEncode: false, disk: undefined });
  expect(await endOfEdit(file, before, true)).toEqual({ kind: 'refused' });
});
