// Backups from the console: what there is in the folder that the operator set, one more, and a check of one.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Nothing, Time, text } from '../fields.ts'

/** The name of a backup: the time at which it was made. */
const BackupName = text(40).regex(/^\d{4}-[\dTZ.-]+Z$/)

const Backup = z.strictObject({
  name: z.string(),
  takenAt: Time,
  rows: z.int(),
  contents: z.int(),
  bytes: z.int(),
  /** Contents that could not be read when it was made. */
  damaged: z.int(),
  /** When it was last checked; 0 for never. */
  checkedAt: Time,
  /** What that check found; empty if everything is as it was written. */
  problems: z.array(z.string()),
})

const backupCalls = {
  /** The complete backups, the newest first, and what is running. */
  getBackups: call({
    summary: 'Lists the backups in the folder of the server',
    kind: 'read',
    method: 'GET',
    path: '/services2/backups/getBackups',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      /** The folder on the server. */
      folder: z.string(),
      /** Whether the folder is inside the data of the installation, and lost with its disk. */
      isBesideData: z.boolean(),
      /** The last backup, by whatever way; 0 for none. */
      backupTime: Time,
      list: z.array(Backup),
      /** A backup or a check that waits or runs. */
      running: z.strictObject({ what: z.enum(['backup', 'check']), name: z.string(), progress: z.int() }).nullable(),
      /** Why the last backup from here failed; empty if it did not. */
      problem: z.string(),
    }),
  }),
  backUpNow: call({
    servesReading: true,
    summary: 'Begins a backup',
    title: { zh: '立即备份', en: 'Backup started' },
    kind: 'write',
    method: 'POST',
    path: '/services2/backups/backUpNow',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: Nothing,
    codes: ['duplicateOperation'],
  }),
  /** Reads every row and content of a backup again, as a restore would. */
  checkBackup: call({
    servesReading: true,
    summary: 'Begins to check that a backup can be restored',
    title: { zh: '检查备份能否恢复', en: 'Backup check started' },
    kind: 'write',
    method: 'POST',
    path: '/services2/backups/checkBackup',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ name: BackupName.describe('The backup, by its name.') }),
    sample: () => ({ name: '2026-11-20T16-45-00.000Z' }),
    data: Nothing,
    codes: ['notFound', 'duplicateOperation'],
  }),
}

export const backups = feature({
  about: { name: 'backups', text: 'Backups of the installation, and their checks' },
  calls: backupCalls,
})
