// Programs for people's computers: which versions there are ([R372], [R373], [R350]), their signed list, and the logs
// that people send to administrators ([R374]).
import { z } from 'zod'
import { signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, Nothing, pageOf, Time, text } from '../fields.ts'

const programTypes = ['client', 'editor'] as const
const systems = ['windows', 'mac', 'linux'] as const
const processors = ['x64', 'arm64'] as const

const ProgramType = z.enum(programTypes).describe('`client`: the desktop client; `editor`: the editing program.')
const System = z.enum(systems).describe('The operating system.')
const Processor = z.enum(processors).describe('The processor.')
const Version = text(32)
  .regex(/^\d{1,6}(\.\d{1,6}){0,4}$/)
  .describe('A dotted version.')

const Program = z
  .strictObject({
    packageId: z.int(),
    type: ProgramType,
    sys: System,
    cpu: Processor,
    version: z.string(),
    name: z.string().describe('The file name of the installer.'),
    size: z.int(),
    sha256: z.string(),
    notes: z.string().describe('What has changed, one line each.'),
    createTime: Time,
  })
  .meta({ id: 'Program' })

/** The longest pack of logs, in UTF-16 units. */
const longestPack = 1_000_000

const open = { auth: 'none', method: 'GET', kind: 'read' } as const
const administered = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const

export const clients = feature({
  about: { name: 'clients', text: 'Programs for people’s computers, their updates, and the logs that they send' },
  calls: {
    checkUpdate2: call({
      ...open,
      summary: 'Tells the newest version of a program for a computer',
      notes: '`currentVersion` is empty where there is none for it; `systems` are those that there is one for.',
      path: '/services2/client/checkUpdate2',
      payload: 'query',
      origin: 'spec',
      open: 'which programs there are is no secret: who has none has no account here yet',
      input: z.strictObject({
        type: ProgramType,
        sys: System,
        cpu: Processor,
        version: Version.or(z.literal('')).default(''),
      }),
      sample: () => ({ type: 'editor', sys: 'windows', cpu: 'x64' }),
      data: z.strictObject({
        currentVersion: z.string(),
        /** Whether the given version is older. */
        outdated: z.boolean(),
        program: Program.nullable(),
        systems: z.array(z.strictObject({ sys: System, cpu: Processor, version: z.string() })),
      }),
    }),
    getClientList: call({
      ...open,
      summary: 'Lists the programs that there are, the newest of each',
      path: '/services2/client/getClientList',
      payload: 'query',
      origin: 'spec',
      open: 'which programs there are is no secret: who has none has no account here yet',
      input: z.strictObject({
        type: ProgramType.optional(),
        sys: System.optional(),
        cpu: Processor.optional(),
        list: Count.default(1).describe('1, as documented.'),
      }),
      sample: () => ({}),
      data: z.strictObject({ list: z.array(Program) }),
    }),
    getUpdateMetadata: call({
      ...open,
      summary: 'The list of the programs, signed',
      notes:
        '`signed` is a JSON text with `generation`, `time`, `expires` and `programs`; `signature` is its Ed25519 signature. A program takes nothing that is signed by another key, is expired, or has a lower generation or version than it has seen.',
      path: '/services2/client/getUpdateMetadata',
      payload: 'none',
      origin: 'ours',
      open: 'which programs there are is no secret: who has none has no account here yet',
      input: z.strictObject({}),
      data: z.strictObject({
        signed: z.string(),
        signature: z.string().describe('In base64.'),
        publicKey: z.string().describe('In SPKI PEM. Programs keep the one that they were installed with.'),
      }),
    }),
    downloadClient: call({
      summary: 'Downloads the installer of a program',
      title: { zh: '下载客户端', en: 'Download of a client' },
      answers: '*/*',
      statuses: [206, 304, 416],
      kind: 'stream',
      method: 'GET',
      path: '/services2/client/downloadClient/{packageId}',
      auth: 'none',
      payload: 'none',
      origin: 'ours',
      open: 'an installer is for everybody of the company, before the first sign-in too',
      input: z.strictObject({ packageId: Id.describe('The installer.') }),
      sample: () => ({ packageId: 987_654_321 }),
      data: z.never(),
      codes: ['notFound'],
    }),
    publishClient: call({
      summary: 'Publishes a file of the drive as the installer of a program',
      title: { zh: '发布客户端', en: 'Client published' },
      notes: 'Only by system administrators. Refused where there is the same or a newer version for such a computer.',
      kind: 'write',
      audit: 'administration',
      audits: ['version'],
      log: 'none',
      method: 'POST',
      path: '/services2/client/publishClient',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      gate: (input) => [{ item: file(input.fileId), action: 'download' }],
      input: z.strictObject({
        fileId: Id,
        type: ProgramType,
        sys: System,
        cpu: Processor,
        version: Version,
        notes: text(2000).default('').describe('What has changed, one line each.'),
      }),
      sample: (ids) => ({ fileId: ids.fileId, type: 'client', sys: 'linux', cpu: 'x64', version: '6.1.0' }),
      data: z.strictObject({ packageId: z.int() }),
      codes: ['notFound', 'noPermission', 'secretLevel', 'virusFile', 'alreadyExists'],
    }),
    removeClient: call({
      ...administered,
      summary: 'Takes back an installer',
      title: { zh: '撤下客户端', en: 'Client taken back' },
      audits: ['packageId'],
      notes: 'Programs do not go back to an older version by it.',
      kind: 'write',
      method: 'POST',
      path: '/services2/client/removeClient',
      payload: 'json',
      input: z.strictObject({ packageId: Id.describe('The installer.') }),
      sample: () => ({ packageId: 987_654_321 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    uploadLogFile: call({
      summary: 'Sends a pack of logs to the administrators',
      title: { zh: '发送日志', en: 'Logs sent' },
      notes: 'The page has removed what is secret and shown the rest. It is kept for 30 days.',
      kind: 'write',
      audit: 'technical',
      method: 'POST',
      path: '/services2/client/uploadLogFile',
      auth: 'required',
      payload: 'json',
      origin: 'spec',
      guard: signedIn,
      input: z.strictObject({
        note: text(500).default(''),
        happenedTime: Time.default(0).describe('When it happened; 0 if nobody has said.'),
        pack: text(longestPack).min(1).describe('The logs and states, as the page has shown them.'),
      }),
      sample: () => ({ pack: '{}' }),
      data: z.strictObject({ logNumber: z.string().describe('What a person tells an administrator.') }),
      codes: ['sendingTooOften'],
    }),
    getLogFiles: call({
      ...administered,
      summary: 'Lists the packs of logs that people have sent',
      kind: 'read',
      method: 'GET',
      path: '/services2/client/getLogFiles',
      payload: 'query',
      input: z.strictObject({
        open: Flag.default(false).describe('Only those that nobody has looked at yet.'),
        ...pageOf(50, 200),
      }),
      sample: () => ({}),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            logId: z.int(),
            logNumber: z.string(),
            userId: z.int(),
            accountName: z.string(),
            note: z.string(),
            happenedTime: Time,
            createTime: Time,
            size: z.int(),
            done: z.boolean(),
          }),
        ),
        total: z.int(),
      }),
    }),
    getLogFile: call({
      ...administered,
      summary: 'Reads a pack of logs',
      kind: 'read',
      method: 'GET',
      path: '/services2/client/getLogFile/{logId}',
      payload: 'none',
      input: z.strictObject({ logId: Id.describe('The log.') }),
      sample: () => ({ logId: 987_654_321 }),
      data: z.strictObject({ pack: z.string() }),
      codes: ['notFound'],
    }),
    setLogFileDone: call({
      ...administered,
      summary: 'Notes that a pack of logs was dealt with, or not yet',
      title: { zh: '处理日志', en: 'Logs dealt with' },
      audits: ['logId'],
      kind: 'write',
      method: 'POST',
      path: '/services2/client/setLogFileDone',
      payload: 'json',
      input: z.strictObject({ logId: Id.describe('The log.'), done: Flag }),
      sample: () => ({ logId: 987_654_321, done: true }),
      data: Nothing,
      codes: ['notFound'],
    }),
  },
})
