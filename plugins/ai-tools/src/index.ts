import { definePlugin, token, tokens } from '@quire/registry';
import { aiHealth } from './endpoints/ai-health.endpoint.js';
import {
  beginCreateSession,
  deleteCreateSession,
  draftCreateSession,
  fieldsCreateSession,
  listCreateSessions,
  outlineCreateSession,
  readCreateSession,
  repromptCreateSession,
  templateCreateSession,
} from './endpoints/create-sessions.endpoint.js';
import { orchestrateStream } from './endpoints/orchestrate-stream.endpoint.js';
import { orchestrate } from './endpoints/orchestrate.endpoint.js';
import { pdfEdit } from './endpoints/pdf-edit.endpoint.js';
import { classifyAndLabel } from './operations/classify-and-label.op.js';
import { createPdfFromHtmlAgent } from './operations/create-pdf-from-html-agent.op.js';
import { mathAuditorAgent } from './operations/math-auditor-agent.op.js';
import { pdfCommentAgent } from './operations/pdf-comment-agent.op.js';
import { CreateSessions, createSessions } from './services/create-sessions.js';
import { HttpModelService, modelService } from './services/model-service.js';
import { OpenAiEmbeddings } from './services/open-ai-embeddings.js';
import { OpenAiLanguageModel } from './services/open-ai-language-model.js';
import { SettingsPush } from './services/settings-push.js';
import { findEvidence, readDocuments } from './tasks/question-tasks.js';

const settingsPush = token<SettingsPush>('ai-tools.settingsPush');

/** Tools that use a language model. */
export default definePlugin({
  categories: [{ id: 'ai', title: 'Language model', icon: 'sparkles', order: 80 }],
  operations: [classifyAndLabel, createPdfFromHtmlAgent, mathAuditorAgent, pdfCommentAgent],
  endpoints: [
    aiHealth,
    pdfEdit,
    orchestrate,
    orchestrateStream,
    beginCreateSession,
    listCreateSessions,
    readCreateSession,
    deleteCreateSession,
    outlineCreateSession,
    repromptCreateSession,
    draftCreateSession,
    templateCreateSession,
    fieldsCreateSession,
  ],
  tasks: [readDocuments, findEvidence],
  services: [
    { token: modelService, create: (ctx) => new HttpModelService(ctx.use(tokens.settings), ctx.use(tokens.outbound)) },
    {
      token: createSessions,
      create: (ctx) =>
        new CreateSessions({ store: ctx.use(tokens.pluginStore), clock: ctx.use(tokens.clock), log: ctx.log }),
    },
    { token: settingsPush, create: (ctx) => new SettingsPush(ctx.use(modelService), ctx.log) },
  ],
  offers: [
    {
      token: tokens.languageModel,
      create: (ctx) =>
        new OpenAiLanguageModel({
          settings: ctx.use(tokens.settings),
          outbound: ctx.use(tokens.outbound),
          log: ctx.log,
        }),
    },
    {
      token: tokens.textEmbeddings,
      create: (ctx) => new OpenAiEmbeddings({ settings: ctx.use(tokens.settings), outbound: ctx.use(tokens.outbound) }),
    },
  ],
  start: async (ctx) => {
    const push = ctx.use(settingsPush);
    push.begin();
    ctx.use(tokens.userNames).onFreed((name, now) => ctx.use(createSessions).nameFreed(name, now));
    ctx.use(tokens.savedSettings).onSaved((changed, saved) => push.saved(changed, saved));
  },
  stop: (ctx) => ctx.use(settingsPush).stop(),
});
