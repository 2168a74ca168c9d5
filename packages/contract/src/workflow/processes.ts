/*
 * Processes: documents that go from person to person by a template ([R263] to [R269]). An act names the state it was
 * made on (`taskId`, `rev`); if that has changed, it is refused with -67 and changes nothing.
 */
import { all, fact, nameInText, ProcessStateCode } from '@cloudoc/domain'
import { z } from 'zod'
import { Comments, Person } from '../approvals/review.ts'
import { accountHolder, objectKind, on } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, pageOf, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { Chosen, ChosenList, FormList, FormValues, NameList, TemplateBody } from './template-fields.ts'
import { RoadStep } from './templates.ts'

/** The state of a process in its lists. */
export const ProcessStateName = z.enum(['draft', 'running', 'back', 'passed', 'failed', 'withdrawn'])
export type ProcessStateName = z.output<typeof ProcessStateName>

/** The facts of a process as seen by one person. */
export interface FactsOfProcess {
  readonly state: ProcessStateName
  readonly isLauncher: boolean
  /** It waits for this person, or for somebody for whom they are the stand-in. */
  readonly isAwaited: boolean
}

const isOpen = ({ state }: FactsOfProcess): boolean => state === 'running' || state === 'back'
const running = fact<FactsOfProcess>('running', isOpen, 'alreadyHandled')
const draft = fact<FactsOfProcess>('not launched', ({ state }) => state === 'draft', 'processLaunchedTwice')
const launched = fact<FactsOfProcess>('launched', ({ state }) => state !== 'draft')
const launcher = fact<FactsOfProcess>('who launched it', ({ isLauncher }) => isLauncher)
const awaited = fact<FactsOfProcess>('who it waits for', ({ isAwaited }) => isAwaited, 'alreadyHandled')

/** Processes. A process does not exist for people who have nothing to do with it. */
export const processKind = objectKind<FactsOfProcess, 'see' | 'launch' | 'act' | 'withdraw' | 'remind' | 'comment'>(
  'process',
  {
    see: fact('known to the person', () => true),
    launch: all(launcher, draft),
    act: all(running, awaited),
    withdraw: all(launcher, running),
    remind: all(launcher, running),
    comment: launched,
  },
)

const ours = { auth: 'required', origin: 'ours' } as const
const one = { processId: Id }
const write = { ...ours, kind: 'write', method: 'POST', payload: 'json', audit: 'file', log: 'none' } as const
const read = { ...ours, kind: 'read', method: 'GET' } as const

const Title = text(200).refine((title) => title.trim() !== '', 'title: a process needs one')

const ProcessRow = z
  .strictObject({
    processId: z.int(),
    processName: z.string(),
    processNumber: z.string(),
    templateId: z.int(),
    templateName: z.string(),
    launcherId: z.int(),
    launcherName: z.string(),
    state: ProcessStateName,
    /** As in push 20; null for a draft, which is not told to anybody. */
    processState: z.int().nullable(),
    /** The state of the whole process: what is withdrawn names it. */
    revision: z.int(),
    nodeName: z.string(),
    waitsFor: z.array(Person),
    isAwaited: z.boolean(),
    /** The task that waits for the caller, and the state of it; 0 if none does. */
    taskId: z.int(),
    rev: z.int(),
    /** The caller has to submit again, to choose handlers or a folder, not to decide. */
    mode: z.enum(['decide', 'rework', 'assign', 'folder', 'archive']).nullable(),
    /** When it reached the caller or the list. */
    arriveTime: Time,
    dueTime: Time.nullable(),
    createTime: Time,
    endTime: Time.nullable(),
    fileId: z.int().describe('0 when there is none, or when the caller may not see it.'),
    fName: z.string(),
    extName: z.string(),
    version: z.int(),
  })
  .meta({ id: 'ProcessRow' })
export type ProcessRow = z.output<typeof ProcessRow>

const CourseEntry = z.strictObject({
  at: Time,
  what: z.string(),
  node: z.string(),
  nodeName: z.string(),
  by: Person.optional(),
  /** For whom a stand-in acted. */
  instead: Person.optional(),
  to: z.array(Person),
  comments: z.string(),
  detail: z.string(),
  /** The version of the attachment at that moment. */
  version: z.int(),
})
export type ProcessEntry = z.output<typeof CourseEntry>

const OpenTask = z.strictObject({
  taskId: z.int(),
  rev: z.int(),
  node: z.string(),
  nodeName: z.string(),
  mode: z.enum(['decide', 'rework', 'assign', 'folder', 'archive']),
  need: z.int(),
  since: Time,
  due: Time.nullable(),
  mayReplace: z.boolean(),
  seats: z.array(
    z.strictObject({
      result: z.enum(['waiting', 'passed', 'failed']),
      people: z.array(
        Person.extend({
          because: z.string(),
          isTurn: z.boolean(),
          answer: z.enum(['passed', 'failed']).nullable(),
          standIn: Person.optional(),
        }),
      ),
    }),
  ),
})

const ProcessDetail = z
  .strictObject({
    ...ProcessRow.shape,
    body: TemplateBody,
    templateVersion: z.int(),
    form: FormList,
    comments: z.string(),
    /** The names of people, files and folders in the form. */
    names: NameList,
    tasks: z.array(OpenTask),
    course: z.array(CourseEntry),
    /** What would come next if everybody passed. */
    ahead: z.array(RoadStep),
    /** The nodes to which the caller may send it back. */
    backTo: z.array(
      z.strictObject({
        node: z.string(),
        name: z.string(),
        /** The opinions that would be void. */
        voids: z.array(Person.extend({ nodeName: z.string() })),
      }),
    ),
    /** The version that the process is about, that which the node before passed, and the newest of the file. */
    versionPassedBefore: z.int(),
    newestVersion: z.int(),
    folderId: z.int(),
    chosen: ChosenList,
    archived: z.array(z.strictObject({ fileId: z.int(), fName: z.string() })),
    may: z.strictObject({ act: z.boolean(), withdraw: z.boolean(), remind: z.boolean(), launch: z.boolean() }),
  })
  .meta({ id: 'ProcessDetail' })
export type ProcessDetail = z.output<typeof ProcessDetail>

export const processLists = ['creation', 'pending', 'circulating', 'archived'] as const
export type ProcessList = (typeof processLists)[number]

const act = { ...one, taskId: Id, rev: Id, comments: Comments }
const acting = {
  ...write,
  gate: ({ processId }: { processId: number }) => [on(processKind, processId, 'act', 'change')],
  data: Nothing,
  codes: ['notFound', 'noPermission', 'alreadyHandled'],
} as const
const sampleAct = (ids: { processId: number }) => ({ processId: ids.processId, taskId: 1, rev: 1 })

const content = {
  templateId: Id.describe('The template.'),
  title: Title.describe('The title of the process.'),
  form: FormValues.prefault([]).describe('Values of the form.'),
  comments: Comments,
  /** The handlers that the template lets the launcher choose, by node. */
  chosen: Chosen.prefault([]),
  /** Where the archive goes, where the template leaves it open. */
  folderId: Id.default(0),
}

const processCalls = {
  getProcessList: call({
    ...read,
    summary: 'Lists processes of the caller: launched, waiting, circulating or archived ([R263], X69)',
    path: '/services2/process/getProcessList',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({
      list: z.enum(processLists),
      /** One of the states that getProcessCount counts; all by default. */
      state: text(20).default(''),
      templateId: Id.default(0).describe('Only processes of this template; 0 for all.'),
      keyword: text(100).default(''),
      ...pageOf(100, 200),
    }),
    sample: () => ({ list: 'creation' }),
    data: z.strictObject({ list: z.array(ProcessRow), total: z.int() }),
  }),
  getProcessCount: call({
    ...read,
    summary: 'Counts the processes of a list by state; more than 999 count as 1000',
    path: '/services2/process/getProcessCount',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({ list: z.enum(processLists) }),
    sample: () => ({ list: 'creation' }),
    data: z.strictObject({
      total: z.int(),
      states: z.array(z.strictObject({ state: z.string(), name: z.string(), count: z.int() })),
    }),
  }),
  getProcess: call({
    ...read,
    summary: 'Reads a process with its form, course and what comes next',
    path: '/services2/process/getProcess/{processId}',
    payload: 'none',
    gate: ({ processId }) => [on(processKind, processId, 'see')],
    input: z.strictObject(one),
    sample: (ids) => ({ processId: ids.processId }),
    data: ProcessDetail,
    codes: ['notFound'],
  }),
  getRemovedProcess: call({
    ...read,
    summary: 'Tells when an ended process was removed, and why: to those who see the file that it was about',
    path: '/services2/process/getRemovedProcess/{processId}',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject(one),
    sample: (ids) => ({ processId: ids.processId }),
    data: z.strictObject({
      removedTime: z.int().nullable().describe('Null if it was not removed, or the caller does not see its file.'),
      keepDays: z.int().describe('How many days ended processes were kept then (process_keep_days).'),
    }),
  }),
  getProcessRoad: call({
    ...ours,
    kind: 'read',
    method: 'POST',
    summary: 'Tells which way a process of the caller would take, before it is launched',
    path: '/services2/process/getProcessRoad',
    payload: 'json',
    guard: accountHolder,
    input: z.strictObject({ templateId: Id, fileType: text(20).default(''), form: FormValues.prefault([]) }),
    sample: (ids) => ({ templateId: ids.processTemplateId }),
    data: z.strictObject({ steps: z.array(RoadStep) }),
    codes: ['notFound'],
  }),
  createProcess: call({
    ...write,
    summary: 'Keeps a process as a draft of the caller, with or without a file',
    title: { zh: '新建流程', en: 'Process created' },
    path: '/services2/process/createProcess',
    gate: ({ fileId }) =>
      fileId === undefined ? [] : [{ item: { fType: 1, fId: fileId }, action: 'launchProcess', lock: 'change' }],
    input: z.strictObject({ ...content, fileId: Id.optional() }),
    sample: (ids) => ({ templateId: ids.processTemplateId, title: '样例', fileId: ids.fileId }),
    data: z.strictObject(one),
    codes: ['notFound', 'noPermission', 'alreadyInProcess', 'fileLocked', 'secretLevel'],
  }),
  updateProcess: call({
    ...write,
    summary: 'Changes a draft',
    title: { zh: '修改流程草稿', en: 'Process draft changed' },
    path: '/services2/process/updateProcess',
    gate: ({ processId }) => [on(processKind, processId, 'launch', 'change')],
    input: z.strictObject({ ...one, ...content }),
    sample: (ids) => ({ processId: ids.processId, templateId: ids.processTemplateId, title: '样例' }),
    data: Nothing,
    codes: ['notFound', 'processLaunchedTwice'],
  }),
  deleteProcess: call({
    ...write,
    summary: 'Deletes a draft',
    title: { zh: '删除流程草稿', en: 'Process draft deleted' },
    path: '/services2/process/deleteProcess',
    gate: ({ processId }) => [on(processKind, processId, 'launch', 'change')],
    input: z.strictObject(one),
    sample: (ids) => ({ processId: ids.processId }),
    data: Nothing,
    codes: ['notFound', 'processLaunchedTwice'],
  }),
  launchProcess: call({
    ...write,
    summary: 'Launches a draft: from then on it is in the hands of its handlers',
    title: { zh: '发起流程', en: 'Process launched' },
    path: '/services2/process/launchProcess',
    gate: ({ processId }) => [on(processKind, processId, 'launch', 'change')],
    input: z.strictObject(one),
    sample: (ids) => ({ processId: ids.processId }),
    data: Nothing,
    codes: ['notFound', 'processLaunchedTwice', 'alreadyInProcess', 'noArchiveFolder', 'noPermission'],
  }),
  passNode: call({
    ...acting,
    summary: 'Passes a node',
    title: { zh: '通过流程节点', en: 'Node passed' },
    path: '/services2/process/passNode',
    input: z.strictObject({ ...act, chosen: Chosen.prefault([]) }),
    sample: sampleAct,
  }),
  failNode: call({
    ...acting,
    summary: 'Refuses a node',
    title: { zh: '不通过流程节点', en: 'Node refused' },
    path: '/services2/process/failNode',
    input: z.strictObject(act),
    sample: sampleAct,
  }),
  backNode: call({
    ...acting,
    summary: 'Sends a process back to an earlier node',
    title: { zh: '退回流程', en: 'Process sent back' },
    path: '/services2/process/backNode',
    input: z.strictObject({ ...act, node: text(40) }),
    sample: (ids) => ({ ...sampleAct(ids), node: 'start' }),
  }),
  startNode: call({
    ...acting,
    summary: 'Submits a process again that was sent back to its launcher',
    title: { zh: '重新提交流程', en: 'Process submitted again' },
    path: '/services2/process/startNode',
    input: z.strictObject({
      ...act,
      title: Title.optional().describe('The title of the process.'),
      form: FormValues.optional().describe('Values of the form.'),
      chosen: Chosen.prefault([]),
    }),
    sample: sampleAct,
  }),
  handOnNode: call({
    ...acting,
    summary: 'Hands a node on to somebody else',
    title: { zh: '转交流程节点', en: 'Node handed on' },
    audits: ['userId'],
    path: '/services2/process/handOnNode',
    input: z.strictObject({ ...act, userId: Id }),
    sample: (ids) => ({ ...sampleAct(ids), userId: ids.userId }),
  }),
  addNodeHandler: call({
    ...acting,
    summary: 'Asks somebody else before or after the caller',
    title: { zh: '加签', en: 'Handler added' },
    audits: ['userId'],
    path: '/services2/process/addNodeHandler',
    input: z.strictObject({ ...act, userId: Id, place: z.enum(['before', 'after']) }),
    sample: (ids) => ({ ...sampleAct(ids), userId: ids.userId, place: 'before' }),
  }),
  assignNode: call({
    ...acting,
    summary: 'Chooses the handlers of a node for which the template names nobody who can act',
    title: { zh: '指定处理人', en: 'Handlers chosen' },
    audits: ['userIdArray'],
    path: '/services2/process/assignNode',
    input: z.strictObject({ ...act, userIdArray: z.array(Id).min(1).max(500) }),
    sample: (ids) => ({ ...sampleAct(ids), userIdArray: [ids.userId] }),
  }),
  setProcessFolder: call({
    ...acting,
    summary: 'Archives again, after the archive could not be written: in another folder, or in the same one',
    title: { zh: '重新归档流程', en: 'Process archived again' },
    path: '/services2/process/setProcessFolder',
    gate: ({ processId, folderId }) => [
      on(processKind, processId, 'act', 'change'),
      ...(folderId === undefined
        ? []
        : [{ item: { fType: 2, fId: folderId }, action: 'upload', lock: 'hold' } as const]),
    ],
    input: z.strictObject({ ...act, folderId: Id.optional().describe('The same folder again, without one.') }),
    sample: (ids) => ({ ...sampleAct(ids), folderId: ids.folderId }),
  }),
  updateProcessFile: call({
    ...acting,
    summary: 'Replaces the attachment by the content of another file of the same type',
    title: { zh: '替换流程附件', en: 'Attachment replaced' },
    path: '/services2/process/updateProcessFile',
    gate: ({ processId, fileId }) => [
      on(processKind, processId, 'act', 'change'),
      { item: { fType: 1, fId: fileId }, action: 'download', lock: 'hold' },
    ],
    input: z.strictObject({ ...act, fileId: Id }),
    sample: (ids) => ({ ...sampleAct(ids), fileId: ids.fileId }),
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'typeRestricted'],
  }),
  updateProcessTitle: call({
    ...write,
    summary: 'Renames a process that was sent back to its launcher, or a draft',
    title: { zh: '修改流程标题', en: 'Process renamed' },
    path: '/services2/process/updateProcessTitle',
    gate: ({ processId }) => [on(processKind, processId, 'see', 'change')],
    input: z.strictObject({ ...one, title: Title }),
    sample: (ids) => ({ processId: ids.processId, title: '样例' }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  withdrawProcess: call({
    ...write,
    summary: 'Takes a process back',
    title: { zh: '撤回流程', en: 'Process withdrawn' },
    path: '/services2/process/withdrawProcess',
    gate: ({ processId }) => [on(processKind, processId, 'withdraw', 'change')],
    input: z.strictObject({ ...one, revision: Id.describe('As getProcess tells it.'), comments: Comments }),
    sample: (ids) => ({ processId: ids.processId, revision: 1 }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  remindProcess: call({
    ...write,
    summary: 'Reminds those whom a process waits for; at most every two hours',
    title: { zh: '提醒流程处理人', en: 'Handlers reminded' },
    path: '/services2/process/remindProcess',
    gate: ({ processId }) => [on(processKind, processId, 'remind', 'change')],
    input: z.strictObject(one),
    sample: (ids) => ({ processId: ids.processId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'duplicateOperation'],
  }),
  commentProcess: call({
    ...write,
    summary: 'Adds a comment to the course',
    title: { zh: '评论流程', en: 'Comment on a process' },
    path: '/services2/process/commentProcess',
    gate: ({ processId }) => [on(processKind, processId, 'comment', 'change')],
    input: z.strictObject({ ...one, comments: text(1000).refine((said) => said.trim() !== '', 'comments: nothing') }),
    sample: (ids) => ({ processId: ids.processId, comments: '样例' }),
    data: Nothing,
    codes: ['notFound', 'noPermission'],
  }),
  getProcessFiles: call({
    ...read,
    summary: 'Lists the versions of the attachment that the process has seen, and the archived files',
    path: '/services2/process/getProcessFiles/{processId}',
    payload: 'none',
    gate: ({ processId }) => [on(processKind, processId, 'see')],
    input: z.strictObject(one),
    sample: (ids) => ({ processId: ids.processId }),
    data: z.strictObject({
      list: z.array(z.strictObject({ fileId: z.int(), fName: z.string(), version: z.int(), isArchived: z.boolean() })),
    }),
    codes: ['notFound'],
  }),
  delLauncherRemind: call({
    summary: 'Removes the reminder of a process from the notices of its launcher',
    title: { zh: '删除流程提醒', en: 'Process reminder removed' },
    auth: 'required',
    origin: 'spec',
    kind: 'write',
    audit: 'technical',
    log: 'none',
    method: 'POST',
    path: '/services2/process/delLauncherRemind/{processId}',
    payload: 'none',
    gate: ({ processId }) => [on(processKind, processId, 'see')],
    input: z.strictObject(one),
    sample: (ids) => ({ processId: ids.processId }),
    data: Nothing,
    codes: ['notFound'],
  }),
}

const playerSentences = {
  [ProcessStateCode.pending]: { zh: '发起的《{name}》等你处理：{node}', en: 'waits for you with “{name}”: {node}' },
  [ProcessStateCode.nodePassed]: { zh: '《{name}》通过了“{node}”', en: '“{name}” passed “{node}”' },
  [ProcessStateCode.passed]: { zh: '《{name}》已全部通过', en: '“{name}” was passed by everybody' },
  [ProcessStateCode.failed]: { zh: '《{name}》没有通过：{node}', en: '“{name}” was not passed: {node}' },
  [ProcessStateCode.withdrawn]: {
    zh: '《{name}》已撤回，不用处理了',
    en: '“{name}” was withdrawn: nothing is left to do',
  },
  [ProcessStateCode.back]: { zh: '《{name}》被退回到“{node}”', en: '“{name}” was sent back to “{node}”' },
  copied: { zh: '《{name}》抄送给你', en: 'sends you a copy of “{name}”' },
  handled: {
    zh: '《{name}》已由别人处理，不用你处理了',
    en: '“{name}” was handled by others: nothing is left for you',
  },
  moved: {
    zh: '《{name}》的“{node}”有了新的期限：工作日历有变动',
    en: '“{name}” has a new deadline at “{node}”: the calendar of working days has changed',
  },
  reminder: { zh: '发起的《{name}》还在等你处理：{node}', en: 'still waits for you with “{name}”: {node}' },
} as const

const listPath = (list: ProcessList, processId: number): string =>
  `/doc/folder/cooperate/workflow-${list}?processId=${processId}`

const processPushes = {
  /** Sent to the handlers of a process, to its launcher, and to those who get a copy ([R267], [R322]). */
  processPlayer: push({
    summary: 'A process waits for the receiver, or went on',
    type: 20,
    delivery: 'confirmed',
    notice: {
      group: 'workflow',
      key: ({ processId }) => String(processId),
      merge: 'later',
      actor: ({ processState, copied, moved, launcherName }) =>
        moved === undefined && (processState === ProcessStateCode.pending || copied === true) ? launcherName : '',
      sentence: ({ processState, copied, handled, reminder, moved, processName, nodeName }) => ({
        ...playerSentences[
          moved ? 'moved' : copied ? 'copied' : handled ? 'handled' : reminder ? 'reminder' : processState
        ],
        values: { name: nameInText(processName), node: nodeName },
      }),
      message: ({ comment }) => comment,
      path: ({ processState, copied, handled, processId, isMine }) =>
        listPath(
          processState === ProcessStateCode.pending
            ? 'pending'
            : isMine
              ? 'creation'
              : processState === ProcessStateCode.nodePassed || copied || handled
                ? 'circulating'
                : 'archived',
          processId,
        ),
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      processId: z.int(),
      processName: z.string(),
      launcherName: z.string(),
      processState: z.enum(ProcessStateCode),
      /** The state of the node: 0 waits, 1 passed, 3 failed, 5 sent back. */
      nodeState: z.int(),
      nodeName: z.string(),
      comment: z.string(),
      createTime: Time,
      /** Not in the spec: the receiver launched it; is copied only; somebody else acted; is told again; is told of another deadline. */
      isMine: z.literal(true).optional(),
      copied: z.literal(true).optional(),
      handled: z.literal(true).optional(),
      reminder: z.literal(true).optional(),
      moved: z.literal(true).optional(),
    }),
  }),
  /** Sent to the launcher: something is theirs to do, or (nodeState 1) is done (X52). */
  processLauncher: push({
    summary: 'A process needs its launcher, or does so no longer',
    type: 21,
    delivery: 'confirmed',
    notice: {
      group: 'workflow',
      key: ({ processId }) => `launcher ${processId}`,
      merge: 'later',
      actor: () => '',
      sentence: ({ nodeState, need, processName }) => ({
        ...(nodeState === 1
          ? { zh: '《{name}》已继续流转', en: '“{name}” goes on' }
          : need === 'assign'
            ? {
                zh: '《{name}》没有可用的处理人，请你指定',
                en: '“{name}” has nobody to handle it: please choose somebody',
              }
            : need === 'folder'
              ? {
                  zh: '《{name}》无法归档，请重新归档或换一个文件夹',
                  en: '“{name}” could not be archived: please archive it again or choose another folder',
                }
              : need === 'left'
                ? {
                    zh: '《{name}》的处理人已离开，由他人接手',
                    en: 'A handler of “{name}” has left, somebody else takes over',
                  }
                : {
                    zh: '《{name}》已退回给你，请修改后重新提交',
                    en: '“{name}” was sent back to you: please submit it again',
                  }),
        values: { name: nameInText(processName) },
      }),
      path: ({ processId }) => listPath('creation', processId),
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      processId: z.int(),
      processName: z.string(),
      launcherId: z.int(),
      launcherName: z.string(),
      nodeState: z.int(),
      createTime: Time,
      /** Not in the spec: what is needed. */
      need: z.enum(['rework', 'assign', 'folder', 'left']),
    }),
  }),
}

export const processes = feature({
  about: { name: 'processes', text: 'Documents that go from person to person' },
  switchedBy: 'workflow',
  calls: processCalls,
  objects: { process: processKind },
  pushes: processPushes,
  settings: {
    setting: {
      /** From 2 on documents can be sent round ([R156]). */
      process_level: z.int().min(0).max(2).default(2),
      /** After so many days processes that have ended are removed; 0: never. */
      process_keep_days: z.int().min(0).max(36_500).default(0),
    },
    administered: {
      process_level: {
        label: { zh: '流程级别', en: 'Workflow level' },
        note: {
          zh: '2：可以把文件送去审批流转；更低则不显示流程。正在流转的流程不受影响。',
          en: '2: documents can be sent round for approval; below that workflows are not offered. Running processes go on.',
        },
        power: 'system',
        group: 'files',
        as: 'number',
      },
      process_keep_days: {
        label: { zh: '已结束流程保留天数', en: 'Days that ended processes are kept' },
        note: {
          zh: '到期后连同审批记录一起清除，已归档的文件不受影响；法律保全的流程不会清除。0 表示永久保留。',
          en: 'They are removed afterwards with their course. Archived files stay, and so does what a legal hold covers. 0: never.',
        },
        power: 'system',
        group: 'files',
        as: 'number',
      },
    },
  },
})
