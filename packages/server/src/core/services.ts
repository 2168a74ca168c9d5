// The services of a process: created in app.ts, passed to every feature when it starts.
import type { PushCatalogue } from '@cloudoc/contract'
import type { ClamdAddress } from '../config.ts'
import type { AccountActor } from './actor.ts'
import type { BlobStore } from './blobs/store.ts'
import type { Ocr } from './confined/ocr.ts'
import type { Office } from './confined/office.ts'
import type { Counter } from './counters.ts'
import type { Db } from './db/database.ts'
import type { Invalidations } from './db/invalidations.ts'
import type { Tables } from './db/tables.ts'
import type { DatabaseTarget } from './db/target.ts'
import type { Contributed } from './extension-points.ts'
import type { Fanout } from './fanout.ts'
import type { Leaver } from './leavers.ts'
import type { Log } from './log.ts'
import type { Audiences } from './push/audience.ts'
import type { PushMessage } from './push/frames.ts'
import type { CanSee, LoadAccess } from './push/parts.ts'
import type { Queue } from './queue/kind.ts'
import type { Commit } from './reactions.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

export type { ClamdAddress }

/** Fills an empty installation in the name of an administrator, who gave the password. False: it is not empty. */
export type FillDemo = (as: {
  readonly account: string
  readonly password: string
  readonly report: (line: string) => void
}) => Promise<boolean>

export interface Services {
  readonly db: Db
  readonly blobs: BlobStore
  readonly log: Log
  /** Milliseconds since 1970, by the clock that all processes share. */
  readonly now: () => number
  /** A named point at which tests can stop. */
  readonly pause: (point: string) => Promise<void>
  readonly secrets: Secrets
  readonly settings: Settings
  readonly invalidations: Invalidations
  /** Ends a transaction without a call: a change by expiry, or the first start. */
  readonly commit: Commit
  /** Gives callers the outcome of queued jobs. */
  readonly queue: Queue
  /** Who may know of each kind of event, by all features; available after all are started. */
  readonly audiences: () => Audiences
  /** The pushes of all features. */
  readonly pushes: PushCatalogue
  /** The tables of all features. */
  readonly tables: Tables
  /** The counters of all features, available after all are started. */
  readonly counters: () => Readonly<Record<string, Counter>>
  /** The leavers of all features, in the order of their layers, available after all are started. */
  readonly leavers: () => readonly Leaver[]
  /** The parts that features contribute to an extension point, available after all are started. */
  readonly contributed: Contributed
  /** Accounts with an open push channel in this process. */
  readonly present: () => ReadonlySet<number>
  /** The connected actors by session, in this process. */
  readonly listening: () => ReadonlyMap<number, AccountActor>
  /** Sends a push once to sessions connected to this process. */
  readonly say: (sessionIds: ReadonlySet<number>, push: PushMessage) => Promise<void>
  /** Nudges between processes. */
  readonly fanout: Pick<Fanout, 'publish' | 'subscribe'>
  /** Whether actors may see items now. */
  readonly sees: CanSee
  /** Each item as its actor sees it now. Undefined if it does not exist for the actor. */
  readonly meet: LoadAccess
  /** Bytes of a part of an upload, by the size of the file. */
  readonly partBytes: (fileSize: number) => number
  /** The public URL for links in mails. Undefined if the operator has not set it. */
  readonly publicUrl: string | undefined
  /** The certificate of this server now, as PEM. Undefined without TLS of its own. */
  readonly certificate: () => Buffer | undefined
  /** Where backups from the console go, and what they read. */
  readonly backups: {
    readonly folder: string
    readonly target: DatabaseTarget
    /** Version of this build. */
    readonly product: string
    /** The folder is inside the data of the installation, and lost with its disk. */
    readonly isBesideData: boolean
  }
  /** Cycle in milliseconds in which every content is verified by reading it. 0: never. */
  readonly scrubCycleMs: number
  /** The address of the virus scanner clamd. Undefined: contents are not scanned. */
  readonly clamd: ClamdAddress | undefined
  /** The public key of whoever issues licences. Undefined: no licence is demanded. */
  readonly licenceKey: string | undefined
  /** Fills the empty installation with the demo company. Undefined: the server cannot. */
  readonly fillDemo: FillDemo | undefined
  /** Renders pages of documents. Undefined if LibreOffice is not installed. */
  readonly office: Office | undefined
  /** Recognizes text in pictures (OCR). Undefined if Tesseract is not installed with its data for Chinese. */
  readonly ocr: Ocr | undefined
}
