export const landingScheme = 'swarm-landing';
export const baseScheme = 'swarm-base';
export const providerId = 'swarmwright-landing';
/** The query of a side that has no file. */
export const emptyQuery = 'empty';
/** In the address of a row in source control. */
export const rowQuery = 'landing';
