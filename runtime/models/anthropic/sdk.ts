/**
 * The part of the SDK that a model call needs, to be loaded when it is used. The client without its resources: those would
 * bring beta APIs and packages of their own into the bundle, and write a warning to the console at each call of a model
 * that is to go.
 */
export { APIConnectionError, APIError, BaseAnthropic } from '@anthropic-ai/sdk';
