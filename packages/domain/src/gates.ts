// The gates: the rule of each action on an item, one line per action.
import type { Capability } from './capabilities.ts'
import { isOfficeDocument } from './document-kinds.ts'
import { hasStatus, type ItemStatus, ItemStatusBit, sensitiveBadge } from './item-status.ts'
import { hasRight, type RightName, type Rights } from './rights.ts'
import { all, any, denial, fact as factOf, type Rule } from './rules.ts'
import { signableExts } from './signing.ts'
import { markableExts } from './watermarks.ts'

/** The server settings that gates read. */
export interface GateSettings {
  readonly print_rights: boolean
  readonly export_sub_file: boolean
  readonly pdf_compression: boolean
  readonly download_watermark: boolean
  readonly secret_manage: boolean
  readonly authorization_menu: boolean
  readonly file_folder_comment: boolean
  readonly temp_file_folder_notify: boolean
  readonly tag: boolean
  readonly useGL: boolean
  readonly colleague_files: boolean
  readonly show_shared_links: boolean
  readonly online_edit: boolean
  readonly force_unlock_file: boolean
  readonly process_level: number
  readonly signing: boolean
  readonly email: boolean
  readonly operation_application: boolean
  readonly exchange_file_enabled: boolean
}

/** The facts that a gate may use: one item as seen by one user. */
export interface Facts {
  readonly rights: Rights
  readonly status: ItemStatus
  readonly isFolder: boolean
  readonly isLibraryRoot: boolean
  /** One of the folders -1, -2, -3, which list items but contain none of their own. [R110] */
  readonly isVirtual: boolean
  readonly extName: string
  readonly docFlag: number
  readonly secretLevel: number
  /** The library of the item is read-only; only its managers change its content. */
  readonly inReadOnlyLibrary: boolean
  /** The item is in a colleague's personal library that the user does not manage ([R216]). */
  readonly inColleagueFiles: boolean
  /** A rule of the administrators makes downloads by this user need an application ([R145]). */
  readonly downloadByApplication: boolean
  /** An approved application lets the user download the item; each download is counted ([R251]). */
  readonly downloadGranted: boolean
  /** A rule of the administrators makes links by this user need an approval ([R231]). */
  readonly linkByApplication: boolean
  /** Another user holds the exclusive lock of the file (decisions "Locks"). */
  readonly isHeld: boolean
  /** The file is the attachment of a running process: it changes only through that ([R266]). */
  readonly inProcess: boolean
  readonly actor: {
    readonly isGuest: boolean
    readonly isManager: boolean
    readonly isOwner: boolean
    readonly secretLevel: number
    /** Capabilities of the user. */
    readonly capabilities: ReadonlySet<Capability>
  }
  readonly settings: GateSettings
}

const fact = factOf<Facts>

/** Passes if the user has the right. */
export function right(name: RightName): Rule<Facts> {
  return fact(`right ${name}`, (f) => hasRight(f.rights, name))
}

/** Passes if the server setting is on. */
export function setting(name: Exclude<keyof GateSettings, 'process_level'>): Rule<Facts> {
  return fact(`setting ${name}`, (f) => f.settings[name])
}

/** Passes if the user has the capability by their roles. */
export function capability(name: Capability): Rule<Facts> {
  return fact(`capability ${name}`, (f) => f.actor.capabilities.has(name))
}

// An invisible item does not exist for the user, so this is checked first and answers -3, not -4.
const visible = fact('right display', (f) => hasRight(f.rights, 'display'), 'notFound')
const alive = fact('not in the recycle bin', (f) => !hasStatus(f.status, 'deleted'), 'notFound')
const folder = fact('a folder', (f) => f.isFolder, 'notFound')
const file = fact('a file', (f) => !f.isFolder, 'notFound')

const notVirtual = fact('not a virtual folder', (f) => !f.isVirtual)
const notLibraryRoot = fact('not a library root', (f) => !f.isLibraryRoot)
const notGuest = fact('not a guest', (f) => !f.actor.isGuest)
const manager = fact('document manager', (f) => f.actor.isManager)
const owner = fact('owner', (f) => f.actor.isOwner)
const notOwner = fact('not the owner', (f) => !f.actor.isOwner)

const hasLevel = fact('a secret level of their own', (f) => f.actor.secretLevel > 0)
const levelReached = fact('secret level', (f) => f.actor.secretLevel >= f.secretLevel, 'secretLevel')
const notSigning = fact('not being signed', (f) => !hasStatus(f.status, 'signing'), 'fileLocked')
const notYetSigning = fact('not being signed yet', (f) => !hasStatus(f.status, 'signing'), 'alreadyInProcess')
const notLocked = fact('not edited by somebody else', (f) => !f.isHeld, 'fileLocked')
const notInProcess = fact('not in a running process', (f) => !f.inProcess, 'alreadyInProcess')
// What a process has archived stays as it is.
const notArchived = fact(
  'not archived by a process',
  (f) => !hasStatus(f.status, 'singleArchive') && !hasStatus(f.status, 'multipleArchive'),
)
const edited = fact(
  'being edited',
  (f) => hasStatus(f.status, 'editAlone') || hasStatus(f.status, 'editMulti'),
  'noEditLock',
)
const notAssociated = fact(
  'not an associated folder',
  (f) => !hasStatus(f.status, 'associateFolder') && !hasStatus(f.status, 'inheritAssociationFolder'),
  'associatedRename',
)
const notReadOnly = any(
  manager,
  fact('not a read-only folder', (f) => !(f.isFolder && hasStatus(f.status, 'folderReadOnly')), 'readOnlyFolder'),
)
const writable = any(
  manager,
  fact('not in a read-only library', (f) => !f.inReadOnlyLibrary, 'readOnlyLibrary'),
)
// Only users with the modify right may move or copy a restricted document, because they could download the copy. [R206]
const notRestricted = any(
  right('modify'),
  fact('not a restricted document', (f) => (f.docFlag & 1) === 0, 'restrictedDocument'),
)
/** Bit in docFlag: no external links of the item, nor of anything below it; itemStatus says so by its bit 256. [R231] */
export const closedToLinks = 2
/** Bit in docFlag: the scanner found a virus in the current content. */
export const infectedDocument = 65536
/** Bit in docFlag, as one user sees the file: the virus scanner has not inspected the current content yet. */
export const uninspectedDocument = 262144
/** Bit in docFlag, as one user sees the file: a reviewer of sensitive content has not released its content. */
export const blockedDocument = 131072
/**
 * An infected file cannot be used; it can only be moved, deleted, or replaced by a new version (-98). The same holds
 * for one whose content is held back from the user (-68), and for others than the uploader until it was inspected, where
 * the company demands that (-530).
 */
const harmless = all(
  fact('nothing harmful found', (f) => (f.docFlag & infectedDocument) === 0, 'virusFile'),
  fact('inspected for viruses', (f) => (f.docFlag & uninspectedDocument) === 0, 'notInspected'),
  fact('content not held back', (f) => (f.docFlag & blockedDocument) === 0, 'sensitiveFile'),
)
/**
 * A link to a file in which something sensitive was found stops until a reviewer has released the file ([R256]). While a
 * file is checked links may be created: each visit asks again.
 */
const releasable = fact('nothing sensitive found', (f) => !hasStatus(f.status, 'fileAudit'), 'sensitiveFile')
/** The user may have the content without an application, as often as they like. */
const freeDownload = all(
  right('download'),
  fact('downloads without an application', (f) => !f.downloadByApplication),
)
/** The user may have the content, by right or by an approved application, whose downloads are counted. [R145] [R251] */
const anyDownload = any(
  fact('a download granted by an application', (f) => f.downloadGranted),
  freeDownload,
)
/** Printing requires the print right if it is a separate right, otherwise the download right. (X62) */
const printable = any(
  all(
    fact('setting print_rights off', (f) => !f.settings.print_rights),
    freeDownload,
  ),
  all(
    fact('setting print_rights on', (f) => f.settings.print_rights),
    right('print'),
  ),
)

/** A gate for items in the tree that are not deleted. */
function live(...rules: readonly Rule<Facts>[]): Rule<Facts> {
  return all(visible, alive, capability('files'), ...rules)
}

/** A gate for existing items except virtual folders, for actions that do not change the item. */
function real(...rules: readonly Rule<Facts>[]): Rule<Facts> {
  return live(notVirtual, ...rules)
}

/** A gate for actions that change the item or its content. */
function change(...rules: readonly Rule<Facts>[]): Rule<Facts> {
  return real(...rules, writable)
}

/** A gate that items in the recycle bin can pass. */
function inBin(...rules: readonly Rule<Facts>[]): Rule<Facts> {
  return all(visible, capability('recycle'), notVirtual, ...rules)
}

/** Requirements for setting secret levels: the right to do so, and a secret level of the user's own. [R152] */
const classifies: readonly Rule<Facts>[] = [
  setting('secret_manage'),
  hasLevel,
  any(right('secretLevel'), right('grant')),
  notGuest,
]
const notGranting = fact('no right grant', (f) => !hasRight(f.rights, 'grant'))
const notDownloading = fact(
  'downloads need an application',
  (f) => !hasRight(f.rights, 'download') || f.downloadByApplication,
)
const openToRequests = fact('open to requests', (f) => hasStatus(f.status, 'applyAuthorization'))

const associating: readonly Rule<Facts>[] = [
  setting('useGL'),
  right('modify'),
  any(manager, owner),
  notLibraryRoot,
  notGuest,
]

const notSensitive = fact('nothing sensitive found', (f) => sensitiveBadge(f.status) === 0, 'sensitiveFile')

const isPdf = fact('a PDF', (f) => f.extName === 'pdf')

const isOffice = fact('a document, sheet or presentation', (f) => isOfficeDocument(f.extName))

const isRestricted = fact('a restricted document', (f) => (f.docFlag & 1) !== 0)
const canBearMark = fact('a kind of file that can bear a watermark', (f) => markableExts.has(f.extName))

const downloading: readonly Rule<Facts>[] = [
  capability('download'),
  freeDownload,
  notRestricted,
  levelReached,
  harmless,
]
const countedDownloading: readonly Rule<Facts>[] = [
  capability('download'),
  anyDownload,
  notRestricted,
  levelReached,
  harmless,
]
/** Conditions under which an approval of a download has an effect, whatever the rights. */
const downloadable: readonly Rule<Facts>[] = [
  capability('download'),
  any(all(setting('download_watermark'), any(folder, canBearMark)), notRestricted),
  levelReached,
  harmless,
]
const edit: readonly Rule<Facts>[] = [
  file,
  capability('upload'),
  right('modify'),
  notSigning,
  notInProcess,
  notArchived,
  levelReached,
]
const deletion: readonly Rule<Facts>[] = [
  right('delete'),
  notLibraryRoot,
  notSigning,
  notInProcess,
  any(manager, notArchived),
  notReadOnly,
  notLocked,
]
// Documents of a colleague may be shared further only if the company allows it. [R150]
const sharedOn = any(
  setting('colleague_files'),
  fact('not among the documents of a colleague', (f) => !f.inColleagueFiles),
)
const granting: readonly Rule<Facts>[] = [capability('grant'), right('grant'), notGuest, sharedOn]
// Whoever lacks the right gives up what an item with rules of its own grants to them personally (0337). [R150]
const clearing: readonly Rule<Facts>[] = [
  notGuest,
  any(
    all(capability('grant'), right('grant'), sharedOn),
    fact('rules of its own', (f) => hasStatus(f.status, 'authorized')),
  ),
]

// The conditions for creating a link apply during its whole lifetime: they are checked again at each visit.
const linking: readonly Rule<Facts>[] = [
  setting('show_shared_links'),
  fact('open to links', (f) => !hasStatus(f.status, 'externalLinkCreationDisabled')),
  capability('createLinks'),
  right('externalLink'),
  notLibraryRoot,
  notRestricted,
  levelReached,
  harmless,
  releasable,
  sharedOn,
]

/** All actions on items with their rules. [R142] [R144]-[R162] [R203] [X51] */
export const gates = {
  see: live(),
  // A virtual folder has no size and no order of its own.
  measure: real(folder),
  arrange: change(folder, right('modify')),
  // The administrator limits a library; the managers of the library limit its folders. [R119]
  limitSpace: real(folder, manager, notLibraryRoot, notGuest),
  // The managers of a library return it, or a folder of it, to an earlier moment.
  rollBack: real(folder, manager, notGuest),
  preview: live(right('preview'), levelReached, harmless),
  // Hands the content out without counting: to editors, to archives that are unpacked, to other servers.
  download: live(...downloading),
  // Downloads that are counted if an application granted them. [R145] [R251]
  takeDownload: live(...countedDownloading),
  downloadCompressed: live(file, isPdf, setting('pdf_compression'), ...countedDownloading),
  // A PDF that the server makes of it, where it can.
  downloadPdf: live(file, isOffice, ...countedDownloading),
  // A copy of a restricted document with a watermark that identifies the user. [R146] [R281]
  downloadMarked: live(
    file,
    canBearMark,
    isRestricted,
    setting('download_watermark'),
    capability('download'),
    anyDownload,
    levelReached,
    harmless,
  ),
  // As part of an archive with other items: restricted documents are included as watermarked copies, and items in
  // folders are checked separately. [R281]
  downloadPacked: live(
    capability('download'),
    anyDownload,
    any(all(setting('download_watermark'), any(folder, canBearMark)), notRestricted),
    levelReached,
    harmless,
  ),
  printItem: live(right('preview'), printable, levelReached, harmless),
  upload: change(folder, capability('upload'), right('upload')),
  createAssociated: change(folder, capability('upload'), right('upload'), setting('useGL'), notGuest),
  // From then on its name is unique in the library, and its content inherits the association. [R248]
  associate: change(folder, ...associating),
  // Choosing a secret level for an upload requires a level of the user's own. The level itself is limited when the
  // upload is received.
  uploadSecret: change(folder, capability('upload'), right('upload'), setting('secret_manage'), hasLevel),
  // Any user who may edit may request the lock; the lock itself decides who holds it. [R178]
  edit: change(...edit, harmless),
  // Editing downloads the content and submits a new version. [R147]
  editHere: change(setting('online_edit'), capability('download'), freeDownload, ...edit, harmless),
  // Co-editing on a page of a WOPI office server, which reads the content itself, so no download right is needed.
  // [R172]
  editTogether: change(setting('online_edit'), ...edit, harmless),
  // View-only access to that page, for users who could read or download the file anyway.
  openTogether: live(
    file,
    setting('online_edit'),
    levelReached,
    harmless,
    any(right('modify'), all(capability('download'), freeDownload, notRestricted)),
  ),
  // Ends the editing by others: they retain their unsubmitted changes, and the file becomes free. [R149] (X51)
  forceUnlock: real(
    setting('force_unlock_file'),
    file,
    right('modify'),
    any(manager, owner),
    notGuest,
    levelReached,
    edited,
  ),
  newVersion: change(...edit, notLocked),
  rename: change(right('modify'), notLibraryRoot, notAssociated, notInProcess, notArchived, notReadOnly, notLocked),
  move: change(
    right('move'),
    right('delete'),
    notLibraryRoot,
    notSigning,
    notInProcess,
    any(manager, notArchived),
    notReadOnly,
    notRestricted,
    notLocked,
  ),
  copy: real(right('move'), notRestricted, harmless),
  // A link grants no rights, so any user who sees an item may create a link to it. [R121]
  link: real(),
  // Following requires only visibility. Following downloads reveals the users who downloaded, so it requires the grant
  // right, like the list of rights. [R239]
  follow: real(capability('follow')),
  // Comments quote the content of the item, so they require the preview right. [R158]
  comment: real(setting('file_folder_comment'), right('preview'), levelReached),
  // Urges name the item to people who see it too. [R156] [R270]
  urge: real(setting('temp_file_folder_notify'), notGuest),
  tag: real(setting('tag')),
  favorite: real(),
  // Records in the user's own history that they opened the item. [R249]
  remember: real(),
  followDownloads: real(capability('follow'), right('grant'), notGuest),
  delete: change(...deletion),
  completeDelete: inBin(...deletion, notGuest, writable),
  restore: inBin(right('delete'), writable),
  grant: change(...granting),
  clearRights: change(...clearing),
  viewShares: real(...granting),
  setSecret: change(file, ...classifies, levelReached),
  // Not for owners of a folder, who would only restrict themselves, and not for a library, which is not a renamable
  // folder. [R151] Managers also change items in a read-only library.
  setReadOnly: real(folder, manager, notOwner, notLibraryRoot, notGuest),
  // On a folder it applies to its whole content, on a library to the whole library.
  restrict: change(any(manager, owner), notGuest, levelReached),
  /** Decides whether there may be external links of an item and of what is below it. [R231] */
  closeToLinks: change(setting('show_shared_links'), any(manager, owner), notGuest),
  createLink: real(...linking, notGuest),
  /** Checked for the creator of a link, who need not be signed in. [R154] [R231] */
  keepLink: real(...linking),
  /** Granting the edit right by a link requires the rights to change the target. [R222] */
  giveEdit: change(capability('upload'), right('modify'), levelReached, harmless),
  // A process locks the file, so it takes somebody who may change it; its handlers get to read it. [R156] [R268]
  launchProcess: real(
    fact('setting process_level', (f) => f.settings.process_level >= 2),
    file,
    notGuest,
    right('download'),
    right('modify'),
    levelReached,
    harmless,
    notYetSigning,
    notLocked,
    notInProcess,
    fact('not a draft of a process', (f) => !hasStatus(f.status, 'workflowUnsubmitted'), 'alreadyInProcess'),
    notArchived,
  ),
  // Signing locks the file until everybody has signed, and puts its content before other people. [R157]
  launchSign: real(
    setting('signing'),
    file,
    fact('a kind of file that can be signed', (f) => signableExts.has(f.extName)),
    notGuest,
    right('download'),
    right('modify'),
    right('move'),
    levelReached,
    harmless,
    notYetSigning,
    notLocked,
    notInProcess,
    notArchived,
  ),
  /** Sending the content in a chat or to another server, which cannot be taken back: it is checked before. [R256] */
  sendOut: live(file, ...downloading, notSensitive),
  // Applies for counted downloads, for users who may not download without an application. [R145]
  applyDownload: real(setting('operation_application'), notDownloading, ...downloadable, notGuest),
  applyAuthorization: real(openToRequests, setting('authorization_menu'), notGranting, notGuest),
  // Sends a copy by mail, which leaves the company. [R159] [R256] (X51)
  sendMail: live(file, setting('email'), ...downloading, notSensitive, notGuest),
  // Sends files to another network, by the rules of the administrators: domain/exchange.ts. [R161] (X51)
  exchange: live(setting('exchange_file_enabled'), notVirtual, notLibraryRoot, ...downloading, notSensitive, notGuest),
  exportFolder: live(
    folder,
    notVirtual,
    capability('download'),
    setting('export_sub_file'),
    any(owner, manager),
    notGuest,
  ),
} as const satisfies Record<string, Rule<Facts>>

/** The states in which a process no longer, or not yet, locks its file. */
export const unlockedProcess = ItemStatusBit.workflowUnsubmitted | ItemStatusBit.approved | ItemStatusBit.rejected

/** Whether a file with this process and status is locked by it. */
export const isInProcess = (processId: number, status: ItemStatus): boolean =>
  processId > 0 && (status & unlockedProcess) === 0

/** Returns whether the user may set the secret level of the file; sent to clients as status bit 512. [R235] */
export function mayClassify(facts: Facts): boolean {
  return !facts.isFolder && denial(all(...classifies), facts) === undefined
}

/** Returns whether the user may end the association of a folder; sent to clients as status bit 8388608. [R248] */
export function mayAssociate(facts: Facts): boolean {
  return facts.isFolder && denial(all(...associating), facts) === undefined
}

/** Returns whether the user may request more rights on an item; sent to clients as status bit 1048576. [R153] */
export function mayApply(facts: Facts): boolean {
  return !facts.isVirtual && denial(all(setting('authorization_menu'), notGranting, notGuest), facts) === undefined
}

/** The name of an action that a gate guards. */
export type GateName = keyof typeof gates
