export type { OperationsAsJobs, Pipeline } from './client.js';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InputError,
  NotFoundError,
  PermissionError,
  QuireError,
  RateLimitError,
  ServerError,
  TimeoutError,
  WebhookError,
  type FieldFault,
  type Problem,
} from './errors.js';
export type { FileResult } from './file-result.js';
export type * from './generated/all.js';
export type * from './generated/operations.js';
export type * from './generated/step-name.js';
export type { Content, Input, Json } from './inputs.js';
export type { Job, Jobs, JobStatus, ListedJob, ResultFile } from './jobs.js';
export type {
  Condition,
  EachStep,
  FactCondition,
  FactValue,
  IfStep,
  OperationStep,
  ParallelStep,
  PipelineStep,
  Reaction,
} from './pipeline-steps.js';
export type { PipelineDefinition, PipelineReport, PipelineResult } from './pipeline.js';
export type { CallOptions, QuireOptions, RawRequest } from './transport.js';
export { verifyWebhook, type JobEvent } from './webhooks.js';
