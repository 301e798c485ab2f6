export { administers } from './administers.ts';
export { apiAddress, root, type Query } from './address.ts';
export { call, callBlob, callJson, openFile, type CallOptions } from './call.ts';
export { catalog, catalogProblem, loadCatalog, operationOf, prefetchCatalog } from './catalog.ts';
export { config, loadConfig, type AppConfig, type LoginProvider } from './config.ts';
export { dutyWanted, endDuty, type Duty } from './duties.ts';
export { loadElement } from './elements.ts';
export { followEvents, type ServerEvent } from './events.ts';
export { formData } from './form-data.ts';
export {
  cancelJob,
  followJob,
  followJobList,
  getJob,
  jobResult,
  listJobs,
  type Job,
  type JobList,
  type ListedJob,
  type ResultFile,
} from './jobs.ts';
export {
  askLogin,
  endLogin,
  forgetPasswordOfLogin,
  loadUser,
  logIn,
  loginWanted,
  logOut,
  passwordOfLogin,
  useKey,
} from './login.ts';
export { logInWithPasskey, passkeysPossible, registerPasskey } from './passkeys.ts';
export { pause } from './pause.ts';
export { asProblem, Problem, type FieldFault } from './problem.ts';
export { linkProvider, logInAt, takeLoginBack } from './providers.ts';
export { loadModule } from './retried.ts';
export { credentials, keepToken, user, type User } from './session.ts';
export { upload, type Uploaded, type UploadOptions } from './upload.ts';
