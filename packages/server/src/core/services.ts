// What a process has one of; made in app.ts, handed to every feature when it is taken up.
import type { ClamdAddress } from '../config.ts'
import type { AccountActor } from './actor.ts'
import type { BlobStore } from './blobs/store.ts'
import type { Ocr } from './confined/ocr.ts'
import type { Office } from './confined/office.ts'
import type { Counter } from './counters.ts'
import type { Db } from './db/database.ts'
import type { Invalidations } from './db/invalidations.ts'
import type { Tables } from './db/tables.ts'
import type { Fanout } from './fanout.ts'
import type { Leaver } from './leavers.ts'
import type { Log } from './log.ts'
import type { PushMessage } from './push/frames.ts'
import type { CanSee, LoadAccess } from './push/parts.ts'
import type { Queue } from './queue/kind.ts'
import type { Commit } from './reactions.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

export type { ClamdAddress }

export interface Services {
  readonly db: Db
  readonly blobs: BlobStore
  readonly log: Log
  /** Milliseconds since 1970, by the clock that all processes share. */
  readonly now: () => number
  /** A named point that tests can stop at. */
  readonly pause: (point: string) => Promise<void>
  readonly secrets: Secrets
  readonly settings: Settings
  readonly invalidations: Invalidations
  /** Ends a transaction that no call runs in: a change by time, or the first start. */
  readonly commit: Commit
  /** Where those who have asked for work that waits find what became of it. */
  readonly queue: Queue
  /** The tables of all features. */
  readonly tables: Tables
  /** What features count for people, once all of them are taken up. */
  readonly counters: () => Readonly<Record<string, Counter>>
  /** What features hand over when somebody leaves, in the order of their layers, once all of them are taken up. */
  readonly leavers: () => readonly Leaver[]
  /** Accounts with an open push channel in this process. */
  readonly present: () => ReadonlySet<number>
  /** Who listens in which session of this process. */
  readonly listening: () => ReadonlyMap<number, AccountActor>
  /** Says something once to sessions that listen in this process. */
  readonly say: (sessionIds: ReadonlySet<number>, push: PushMessage) => Promise<void>
  /** Nudges between processes. */
  readonly fanout: Pick<Fanout, 'publish' | 'subscribe'>
  /** Who may see which items now. */
  readonly sees: CanSee
  /** Each item as who asks about it meets it now; undefined where it is not there for them. */
  readonly meet: LoadAccess
  /** Bytes of a part of an upload, by the size of the file. */
  readonly partBytes: (fileSize: number) => number
  /** What people type to get here, for links in mails; undefined where the operator has not said. */
  readonly publicUrl: string | undefined
  /** In how many milliseconds every content is read again; 0: never. */
  readonly scrubCycleMs: number
  /** Where contents are scanned; undefined: nowhere. */
  readonly clamd: ClamdAddress | undefined
  /** Makes pages of documents; undefined where LibreOffice is not installed. */
  readonly office: Office | undefined
  /** Reads words that are drawn; undefined where Tesseract is not installed with its data for Chinese. */
  readonly ocr: Ocr | undefined
}
