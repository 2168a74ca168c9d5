// Dashboard of the administrator and reports (decisions E4, E5): sizes, activity and pending work.
import { z } from 'zod'
import { administrator, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Nothing, pageOf, Time, text } from '../fields.ts'

const Day = z.int().describe('A day, counted from 1970 (UTC).')
const Days = Count.pipe(z.int().min(1).max(400))

/** Findings that need the attention of an administrator, with their counts. */
const attention = [
  'nearlyFull',
  'serverFull',
  'diskFull',
  'logFull',
  'damaged',
  'noBackup',
  'oldBackup',
  'lockedAccounts',
  'neverSignedIn',
  'failedJobs',
] as const

const Space = z.strictObject({
  /** Kind: library, department or user. */
  type: z.enum(['library', 'group', 'user']),
  id: z.int(),
  name: z.string(),
  /** For a user: the department. */
  detail: z.string(),
  used: z.int(),
  /** Capacity in bytes; 0: no limit. */
  total: z.int(),
  /** Bytes added in the last 30 days. */
  grown: z.int(),
})

const administrators = { auth: 'required', origin: 'ours', kind: 'read', method: 'GET' } as const

const overviewCalls = {
  getOverview: call({
    summary: 'Tells how the installation is: people, space, activity, health, and what wants attention',
    ...administrators,
    guard: administrator,
    path: '/services2/overview/getOverview',
    payload: 'none',
    input: z.strictObject({}),
    data: z.strictObject({
      at: Time,
      people: z.strictObject({ total: z.int(), limit: z.int(), active: z.int() }),
      /** Users active in the last ten minutes, and the number of sessions. */
      online: z.strictObject({ people: z.int(), sessions: z.int() }),
      /** Activity of the last days, oldest first. */
      activity: z.array(
        z.strictObject({ day: Day, signIn: z.int(), file: z.int(), rights: z.int(), administration: z.int() }),
      ),
      health: z.strictObject({
        upMs: z.int(),
        database: z.strictObject({ version: z.string(), bytes: z.int(), ms: z.int() }),
        damaged: z.int(),
        /** 0: never. */
        backupTime: z.int(),
        jobs: z.strictObject({ waiting: z.int(), failed: z.int() }),
        /** What makes pages of office documents, whether it is switched on, and the memory that is available to it. */
        pages: z.strictObject({
          engine: z.enum(['none', 'installed', 'wasm']),
          isOn: z.boolean(),
          freeMemory: z.int(),
        }),
      }),
      attention: z.array(z.strictObject({ what: z.enum(attention), n: z.int() })),
    }),
  }),
  getStorage: call({
    summary: 'Tells how much space there is, what takes it, and how it grew',
    ...administrators,
    guard: systemAdministrator,
    path: '/services2/overview/getStorage',
    payload: 'none',
    input: z.strictObject({}),
    data: z.strictObject({
      used: z.int(),
      /** 0: no limit. */
      limit: z.int(),
      place: z.string(),
      disk: z.strictObject({ free: z.int(), size: z.int() }).nullable(),
      /** Measured periodically: bytes of stored contents, and of versions that are not the newest. */
      measured: z.strictObject({ at: Time, stored: z.int(), oldVersions: z.int() }).nullable(),
      logBytes: z.int(),
      /** Usage at the end of each of the last days, oldest first. */
      days: z.array(z.strictObject({ day: Day, used: z.int() })),
    }),
  }),
  /** Largest first. `low`: only those that are nearly full. */
  getStorageOf: call({
    summary: 'Tells how much space libraries, departments and people take',
    ...administrators,
    guard: systemAdministrator,
    path: '/services2/overview/getStorageOf',
    payload: 'query',
    input: z.strictObject({
      by: z.enum(['library', 'group', 'user', 'low']),
      keyword: text(100).default(''),
      ...pageOf(20, 1000),
    }),
    sample: () => ({ by: 'library' }),
    data: z.strictObject({ list: z.array(Space), total: z.int() }),
  }),
  /** Users who never signed in are included, by their creation time. */
  getAbsentPeople: call({
    summary: 'Lists who has not signed in for long',
    ...administrators,
    guard: systemAdministrator,
    path: '/services2/overview/getAbsentPeople',
    payload: 'query',
    input: z.strictObject({ days: Days.default(90), ...pageOf(50, 1000) }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          userId: z.int(),
          account: z.string(),
          accountName: z.string(),
          groupName: z.string(),
          /** 0: never. */
          signedInTime: z.int(),
          createTime: Time,
          used: z.int(),
        }),
      ),
      total: z.int(),
    }),
  }),
}

export const overview = feature({
  about: { name: 'overview', text: 'How the installation is, and what is in it' },
  calls: overviewCalls,
})

/** Steps of the setup wizard, in order. */
export const setupSteps = [
  'company',
  'password',
  'licence',
  'storage',
  'address',
  'mail',
  'levels',
  'demo',
  'organisation',
  'libraries',
  'backup',
] as const
export type SetupStep = (typeof setupSteps)[number]

export const setup = feature({
  about: { name: 'setup', text: 'The first hour of an installation' },
  calls: {
    getSetup: call({
      summary: 'Tells what of the first set-up has been done',
      ...administrators,
      guard: systemAdministrator,
      path: '/services2/setup/getSetup',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        open: z.boolean(),
        done: z.array(z.enum(setupSteps)),
        /** Steps that were left for later; they stay open after the set-up has ended. */
        skipped: z.array(z.enum(setupSteps)),
        /** Filling the installation with the demo company: whether the server can, and how far it is. */
        demo: z.strictObject({
          /** `full`: there are people or files already, so that it is not offered. */
          state: z.enum(['absent', 'full', 'ready', 'running', 'done', 'failed']),
          /** What is being done, or what went wrong. */
          line: z.string(),
        }),
        storage: z.strictObject({
          place: z.string(),
          disk: z.strictObject({ free: z.int(), size: z.int() }).nullable(),
        }),
        /** The department above all others: everybody. */
        companyGroupId: z.int(),
        groups: z.int(),
        people: z.int(),
        libraries: z.int(),
      }),
    }),
    /**
     * Completes a step, leaves it for later, or completes the whole setup, which cannot be restarted: the steps that are
     * not done are left for later then. `forget`: no step is left for later any more.
     */
    setSetup: call({
      summary: 'Says that a step of the first set-up, or all of it, is done',
      title: { zh: '完成初始设置步骤', en: 'Step of the set-up' },
      ...administrators,
      kind: 'write',
      method: 'POST',
      guard: systemAdministrator,
      path: '/services2/setup/setSetup',
      payload: 'json',
      input: z.strictObject({
        done: z.enum(setupSteps).optional(),
        skip: z.enum(setupSteps).optional().describe('The step that is left for later.'),
        finish: z.literal(true).optional(),
        forget: z.literal(true).optional().describe('No step is left for later any more.'),
      }),
      data: Nothing,
      codes: ['duplicateOperation'],
    }),
    /** Works in the background; `getSetup` tells how far it is. */
    fillWithDemo: call({
      summary: 'Fills an empty installation with the demo company',
      notes: 'With the password of the caller, in whose name libraries, people and files are made.',
      title: { zh: '填入示例公司', en: 'Filled in the demo company' },
      ...administrators,
      kind: 'staged',
      method: 'POST',
      guard: systemAdministrator,
      personOnly: true,
      path: '/services2/setup/fillWithDemo',
      payload: 'json',
      input: z.strictObject({ password: text(200).min(1) }),
      sample: () => ({ password: 'x' }),
      data: Nothing,
      codes: ['duplicateOperation', 'wrongPassword'],
    }),
  },
  settings: {
    beside: {
      /** New installation: the administrator is guided through the setup wizard. */
      setup_open: z.boolean().default(false),
      /** Steps of the set-up that were left for later. */
      setup_skipped: z.array(z.enum(setupSteps)).max(setupSteps.length).default([]),
    },
    inner: {
      setup_done: z.array(z.enum(setupSteps)).max(setupSteps.length).default([]),
    },
  },
})
