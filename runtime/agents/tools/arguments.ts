import { z } from 'zod';

/** Arguments that several tools share. */

/** Whether the path may be used is for the tree to say; only what is surely meant is put right here. */
export const pathArgument: z.ZodString = z
  .string()
  .min(1)
  .overwrite((path) => path.replace(/^(\.\/)+/, ''))
  .describe('Path from the root, with /.');

export const folderArgument: z.ZodString = z
  .string()
  .overwrite((folder) =>
    folder
      .replace(/^(\.\/)+/, '')
      .replace(/\/+$/, '')
      .replace(/^\.$/, ''),
  )
  .describe('Only at or below this folder; all when left out.');

/** A lone half of a surrogate pair has no UTF-8: it would be written as another character. */
export const textArgument: z.ZodString = z
  .string()
  .refine((text) => text.isWellFormed(), 'wanted well-formed text, got half a surrogate pair');

export function lineArgument(characters: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(characters)
    .regex(/^[^\r\n]*$/, 'wanted one line');
}

/** The name of a task or of a design question. */
export function nameArgument(characters: number): z.ZodString {
  return z
    .string()
    .max(characters)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'wanted lower-case letters and digits, joined by dashes');
}

export const questionArgument: z.ZodString = nameArgument(60);

export function shortTexts(items: number, characters: number): z.ZodArray<z.ZodString> {
  return z.array(z.string().min(1).max(characters)).max(items);
}
