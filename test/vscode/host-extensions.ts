import { repository } from './places.ts';

/** Folders of the extensions that are developed (`extensionDevelopmentPath`) while host suites run. */
export async function hostExtensions(): Promise<string[]> {
  return [repository];
}
