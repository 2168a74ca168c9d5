// Templates of workflows: drawing, checking, publishing and simulating them ([R269], decisions "E2").
import { z } from 'zod'
import { Person } from '../approvals/review.ts'
import { accountHolder, guard } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, Time, text } from '../fields.ts'
import { FormValues, NameList, TemplateBody, TemplateProblem } from './template-fields.ts'

const ours = { auth: 'required', origin: 'ours' } as const

/** For templates: those who keep the installation or its rules. */
export const workflowAdministrator = guard(
  'workflowAdministrator',
  'whoever has the power of system or security',
  ({ kind, powers }) => kind === 'account' && (powers.includes('system') || powers.includes('security')),
)

const administered = {
  ...ours,
  kind: 'write',
  method: 'POST',
  payload: 'json',
  audit: 'administration',
  log: 'none',
  guard: workflowAdministrator,
} as const

const TemplateId = { templateId: Id }
const TemplateName = text(60).refine((name) => name.trim() !== '', 'a name')

/** One node on the road of a simulated process. */
export const RoadStep = z.strictObject({
  node: z.string(),
  name: z.string(),
  people: z.array(Person.extend({ gone: z.literal(true).optional() })),
  need: z.int(),
  chosenBy: z.enum(['launcher', 'before']).optional(),
  /** Those whom the template names and who cannot act; `gone`: who have left or are frozen. */
  unable: z.array(Person.extend({ gone: z.literal(true).optional() })),
  /** `people` are asked instead of them. */
  isInstead: z.boolean(),
  isStuck: z.boolean(),
})
export type WorkflowRoadStep = z.output<typeof RoadStep>

const Listed = z.strictObject({
  templateId: z.int(),
  templateName: z.string(),
  note: z.string(),
  /** Names of the nodes at which people decide, in the order of the drawing. */
  nodeNames: z.array(z.string()),
  version: z.int(),
  /** When the caller last launched a process on it; 0: never. */
  usedTime: Time,
})
export type ProcessTemplate = z.output<typeof Listed>

const Administered = z.strictObject({
  ...Listed.shape,
  /** 0: never published. */
  version: z.int(),
  enabled: z.boolean(),
  running: z.int(),
  updateTime: Time,
  updatedBy: z.string(),
  /** The caller has unpublished changes. */
  hasDraft: z.boolean(),
})
export type AdministeredTemplate = z.output<typeof Administered>

const templateCalls = {
  getProcessTemplateList: call({
    summary: 'Lists the templates that the caller may launch, those used last first',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/process/getProcessTemplateList',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(Listed) }),
  }),
  getProcessTemplate: call({
    summary: 'Reads the published version of a template',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/process/getProcessTemplate/{templateId}',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject(TemplateId),
    sample: (ids) => ({ templateId: ids.processTemplateId }),
    data: z.strictObject({ ...Listed.shape, body: TemplateBody }),
    codes: ['notFound'],
  }),
  getProcessTemplates: call({
    summary: 'Lists all templates with their versions and the processes that run on them',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/process/getProcessTemplates',
    payload: 'none',
    guard: workflowAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(Administered) }),
  }),
  getProcessTemplateDraft: call({
    summary: 'Reads a template for editing: the unpublished changes of the caller, or what is published',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/process/getProcessTemplateDraft/{templateId}',
    payload: 'none',
    guard: workflowAdministrator,
    input: z.strictObject(TemplateId),
    sample: (ids) => ({ templateId: ids.processTemplateId }),
    data: z.strictObject({
      ...Administered.shape,
      body: TemplateBody.describe('Nodes, edges and fields of the template.'),
      /** The version that the draft was begun with. */
      baseVersion: z.int(),
      /** What is published now; null before the first version. */
      published: TemplateBody.nullable(),
      /** What the draft was begun with, if something else has been published since. */
      base: TemplateBody.nullable(),
      problems: z.array(TemplateProblem),
      /** The names of the people, roles, departments and folders in it. */
      names: NameList,
      versions: z.array(
        z.strictObject({ version: z.int(), publishTime: Time, publishedBy: z.string(), running: z.int() }),
      ),
    }),
    codes: ['notFound'],
  }),
  saveProcessTemplate: call({
    ...administered,
    summary: 'Keeps the changes of the caller to a template; nobody sees them before they are published',
    title: { zh: '保存流程模板草稿', en: 'Template draft saved' },
    audits: ['templateId'],
    notes:
      'A draft that is the same as what is published is no draft any more: so changes are given up. Refused with -39 unless baseVersion is the version that is published now.',
    path: '/services2/process/saveProcessTemplate',
    input: z.strictObject({
      templateId: Id.describe('The template; 0 makes a new one.'),
      templateName: TemplateName.describe('The name of the template.'),
      note: text(200).default(''),
      body: TemplateBody.describe('Nodes, edges and fields of the template.'),
      baseVersion: z.int().min(0),
    }),
    sample: () => ({
      templateId: 0,
      templateName: '样例',
      baseVersion: 0,
      body: { nodes: [], edges: [], fields: [], launcherDecides: true, skipsSame: false },
    }),
    data: z.strictObject({ ...TemplateId, problems: z.array(TemplateProblem) }),
    codes: ['notFound', 'alreadyExists', 'fileConflict'],
  }),
  publishProcessTemplate: call({
    ...administered,
    summary: 'Publishes the draft of the caller as the next version',
    title: { zh: '发布流程模板', en: 'Template published' },
    audits: ['templateId'],
    notes: 'Refused with -39 if somebody else has published since. Running processes keep the version they began with.',
    path: '/services2/process/publishProcessTemplate',
    input: z.strictObject({ ...TemplateId, baseVersion: z.int().min(0) }),
    sample: (ids) => ({ templateId: ids.processTemplateId, baseVersion: 0 }),
    data: z.strictObject({
      version: z.int(),
      /** What prevents it; the version is then 0. */
      problems: z.array(TemplateProblem),
    }),
    codes: ['notFound', 'fileConflict'],
  }),
  setProcessTemplateState: call({
    ...administered,
    summary: 'Offers a template for launching, or no longer',
    title: { zh: '启用或停用流程模板', en: 'Template enabled or disabled' },
    audits: ['templateId'],
    path: '/services2/process/setProcessTemplateState',
    input: z.strictObject({ ...TemplateId, enabled: z.boolean() }),
    sample: (ids) => ({ templateId: ids.processTemplateId, enabled: true }),
    data: Nothing,
    codes: ['notFound'],
  }),
  deleteProcessTemplate: call({
    ...administered,
    summary: 'Deletes a template; processes on it run on',
    title: { zh: '删除流程模板', en: 'Template deleted' },
    audits: ['templateId'],
    path: '/services2/process/deleteProcessTemplate',
    input: z.strictObject(TemplateId),
    sample: (ids) => ({ templateId: ids.processTemplateId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  simulateProcess: call({
    summary: 'Tells which way a process on a template would take, and who would be asked',
    ...ours,
    kind: 'read',
    method: 'POST',
    path: '/services2/process/simulateProcess',
    payload: 'json',
    guard: workflowAdministrator,
    input: z.strictObject({
      body: TemplateBody.describe('Nodes, edges and fields of the template.'),
      launcherId: Id,
      form: FormValues.prefault([]).describe('Values of the form.'),
      fileType: text(20).default('').describe('The extension of the file, for conditions on it.'),
    }),
    sample: (ids) => ({
      launcherId: ids.userId,
      body: { nodes: [], edges: [], fields: [], launcherDecides: true, skipsSame: false },
    }),
    data: z.strictObject({ steps: z.array(RoadStep), edges: z.array(z.string()), problems: z.array(TemplateProblem) }),
    codes: ['notFound'],
  }),
}

export const processTemplates = feature({
  about: { name: 'process templates', text: 'How documents go from person to person' },
  switchedBy: 'workflow',
  calls: templateCalls,
})
