// What may be done with an item, one line for each action.
import type { Capability } from './capabilities.ts'
import { hasStatus, type ItemStatus, sensitiveBadge } from './item-status.ts'
import { hasRight, type RightName, type Rights } from './rights.ts'
import { all, any, denial, fact as factOf, type Rule } from './rules.ts'
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
  readonly tag: boolean
  readonly useGL: boolean
  readonly colleague_files: boolean
  readonly show_shared_links: boolean
  readonly online_edit: boolean
  readonly force_unlock_file: boolean
}

/** All that a gate may look at: one item as one person meets it. */
export interface Facts {
  readonly rights: Rights
  readonly status: ItemStatus
  readonly isFolder: boolean
  readonly isLibraryRoot: boolean
  /** One of the folders -1, -2, -3, which list and hold nothing of their own. [R110] */
  readonly isVirtual: boolean
  readonly extName: string
  readonly docFlag: number
  readonly secretLevel: number
  /** The library that it is in is kept as it is: nothing in it changes but by its managers. */
  readonly inReadOnlyLibrary: boolean
  /** It lies in a colleague's own library, which the person does not manage ([R216]). */
  readonly inColleagueFiles: boolean
  /** Somebody else edits the file alone (decisions "Locks"). */
  readonly isHeld: boolean
  readonly actor: {
    readonly isGuest: boolean
    readonly isManager: boolean
    readonly isOwner: boolean
    readonly secretLevel: number
    /** What they may do at all. */
    readonly capabilities: ReadonlySet<Capability>
  }
  readonly settings: GateSettings
}

const fact = factOf<Facts>

/** Holds when the person has the right. */
export function right(name: RightName): Rule<Facts> {
  return fact(`right ${name}`, (f) => hasRight(f.rights, name))
}

/** Holds when the server setting is on. */
export function setting(name: keyof GateSettings): Rule<Facts> {
  return fact(`setting ${name}`, (f) => f.settings[name])
}

/** Holds when the person may do it at all, by their roles. */
export function capability(name: Capability): Rule<Facts> {
  return fact(`capability ${name}`, (f) => f.actor.capabilities.has(name))
}

// What a person cannot see does not exist for them, so this is asked before anything else and answers -3, not -4.
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
const notSigning = fact('not being signed', (f) => !hasStatus(f.status, 'signing'), 'alreadyInProcess')
const notLocked = fact('not edited by somebody else', (f) => !f.isHeld, 'fileLocked')
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
// A restricted document leaves its place only by those who may change it: the copy would be theirs to download. [R206]
const notRestricted = any(
  right('modify'),
  fact('not a restricted document', (f) => (f.docFlag & 1) === 0),
)
/** In docFlag: something harmful was found in what the file holds now. */
export const infectedDocument = 65536
/** What was found harmful is locked away from every use; it can be moved, deleted, and replaced by another version. (-98) */
const harmless = fact('nothing harmful found', (f) => (f.docFlag & infectedDocument) === 0, 'virusFile')
/** Printing hands a document out: by a right of its own where there is one, else by that to download. (X62) */
const printable = any(
  all(
    fact('setting print_rights off', (f) => !f.settings.print_rights),
    right('download'),
  ),
  all(
    fact('setting print_rights on', (f) => f.settings.print_rights),
    right('print'),
  ),
)

/** A gate for what lives in the tree. */
function live(...rules: readonly Rule<Facts>[]): Rule<Facts> {
  return all(visible, alive, capability('files'), ...rules)
}

/** A gate for what is somewhere, and stays as it is. */
function real(...rules: readonly Rule<Facts>[]): Rule<Facts> {
  return live(notVirtual, ...rules)
}

/** A gate that changes the item, or what is in it. */
function change(...rules: readonly Rule<Facts>[]): Rule<Facts> {
  return real(...rules, writable)
}

/** A gate that what lies in the recycle bin can pass, too. */
function inBin(...rules: readonly Rule<Facts>[]): Rule<Facts> {
  return all(visible, capability('recycle'), notVirtual, ...rules)
}

/** What whoever sets secret levels has to be: both the right to, and a level that is theirs to give. [R152] */
const classifies: readonly Rule<Facts>[] = [
  setting('secret_manage'),
  hasLevel,
  any(right('secretLevel'), right('grant')),
  notGuest,
]
const notGranting = fact('no right grant', (f) => !hasRight(f.rights, 'grant'))
const notDownloading = fact('no right to download', (f) => !hasRight(f.rights, 'download'))
const openToRequests = fact('open to requests', (f) => hasStatus(f.status, 'applyAuthorization'))

const associating: readonly Rule<Facts>[] = [
  setting('useGL'),
  right('modify'),
  any(manager, owner),
  notLibraryRoot,
  notGuest,
]

const isPdf = fact('a PDF', (f) => f.extName === 'pdf')

const isRestricted = fact('a restricted document', (f) => (f.docFlag & 1) !== 0)
const canBearMark = fact('a kind of file that can bear a watermark', (f) => markableExts.has(f.extName))

const downloading: readonly Rule<Facts>[] = [
  capability('download'),
  right('download'),
  notRestricted,
  levelReached,
  harmless,
]
const edit: readonly Rule<Facts>[] = [file, capability('upload'), right('modify'), notSigning, levelReached]
const deletion: readonly Rule<Facts>[] = [right('delete'), notLibraryRoot, notSigning, notReadOnly, notLocked]
// What a colleague keeps is shared on by others only where the company lets them. [R150]
const sharedOn = any(
  setting('colleague_files'),
  fact('not among the documents of a colleague', (f) => !f.inColleagueFiles),
)
const granting: readonly Rule<Facts>[] = [capability('grant'), right('grant'), notGuest, sharedOn]

// What holds for giving an item out by a link holds for as long as the link is there: it is asked again at each visit.
const linking: readonly Rule<Facts>[] = [
  setting('show_shared_links'),
  fact('open to links', (f) => !hasStatus(f.status, 'externalLinkCreationDisabled')),
  capability('createLinks'),
  right('externalLink'),
  notLibraryRoot,
  notRestricted,
  levelReached,
  harmless,
  sharedOn,
]

/** Every action on an item with its rule. [R142] [R144]-[R162] [R203] [X51] */
export const gates = {
  see: live(),
  // A virtual folder has no size and no order of its own.
  measure: real(folder),
  arrange: change(folder, right('modify')),
  // How much a library may hold is its administrator's to say; how it is divided, that of whoever manages it. [R119]
  limitSpace: real(folder, manager, notLibraryRoot, notGuest),
  preview: live(right('preview'), levelReached, harmless),
  download: live(...downloading),
  downloadCompressed: live(file, isPdf, setting('pdf_compression'), ...downloading),
  // A copy of a restricted document that says whose it is. [R146] [R281]
  downloadMarked: live(
    file,
    canBearMark,
    isRestricted,
    setting('download_watermark'),
    capability('download'),
    right('download'),
    levelReached,
    harmless,
  ),
  // Among others, in one archive: what is restricted comes as such a copy, what lies in a folder is asked for itself. [R281]
  downloadPacked: live(
    capability('download'),
    right('download'),
    any(notRestricted, all(setting('download_watermark'), any(folder, canBearMark))),
    levelReached,
    harmless,
  ),
  printItem: live(right('preview'), printable, levelReached, harmless),
  upload: change(folder, capability('upload'), right('upload')),
  createAssociated: change(folder, capability('upload'), right('upload'), setting('useGL'), notGuest),
  // Its name is its library's alone from then on, and what is in it is bound with it. [R248]
  associate: change(folder, ...associating),
  // Choosing a level for what one brings: whoever has one to give. The limit itself is on what comes in.
  uploadSecret: change(folder, capability('upload'), right('upload'), setting('secret_manage'), hasLevel),
  // Whoever may edit may ask for the lock; who holds it is the lock's own matter. [R178]
  edit: change(...edit, harmless),
  // What is edited is taken along, and handed in again. [R147]
  editHere: change(setting('online_edit'), capability('download'), right('download'), ...edit, harmless),
  // Several edit it at once on a page of an office server, which has the bytes: nobody has to take them along. [R172]
  editTogether: change(setting('online_edit'), ...edit, harmless),
  // To look on there, for whoever could have it anyhow.
  openTogether: live(
    file,
    setting('online_edit'),
    levelReached,
    harmless,
    any(right('modify'), all(capability('download'), right('download'), notRestricted)),
  ),
  // Ending what others edit: their words stay with them, the file is free again. [R149] (X51)
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
  rename: change(right('modify'), notLibraryRoot, notAssociated, notReadOnly, notLocked),
  move: change(right('move'), right('delete'), notLibraryRoot, notSigning, notReadOnly, notRestricted, notLocked),
  copy: real(right('move'), notRestricted, harmless),
  // A link gives nobody anything: whoever sees an item may point to it. [R121]
  link: real(),
  // Who is told of an item sees it; who has taken it learns of people, as a list of rights does. [R239]
  follow: real(capability('follow')),
  // What is said of an item quotes it: whoever may look at it may read that. [R158]
  comment: real(setting('file_folder_comment'), right('preview'), levelReached),
  tag: real(setting('tag')),
  favorite: real(),
  // That one opened it is remembered for oneself. [R249]
  remember: real(),
  followDownloads: real(capability('follow'), right('grant'), notGuest),
  delete: change(...deletion),
  completeDelete: inBin(...deletion, notGuest, writable),
  restore: inBin(right('delete'), writable),
  grant: change(...granting),
  viewShares: real(...granting),
  setSecret: change(file, ...classifies, levelReached),
  // Nobody binds what is theirs alone; a library is no folder in which something could be renamed. [R151] Managers change
  // what is in a read-only library as well.
  setReadOnly: real(folder, manager, notOwner, notLibraryRoot, notGuest),
  // On a folder it holds for all that is in it, on a library for the whole library.
  restrict: change(any(manager, owner), notGuest, levelReached),
  createLink: real(...linking, notGuest),
  /** The creator of a link for it, who need not be there. [R154] [R231] */
  keepLink: real(...linking),
  /** Letting others change what a link leads to takes what changing it takes. [R222] */
  giveEdit: change(capability('upload'), right('modify'), levelReached, harmless),
  // Asking for the right to download, where one has it not. [R145]
  applyDownload: real(openToRequests, setting('authorization_menu'), notDownloading, notGranting, notGuest),
  applyAuthorization: real(openToRequests, setting('authorization_menu'), notGranting, notGuest),
  exportFolder: live(
    folder,
    notVirtual,
    capability('download'),
    setting('export_sub_file'),
    any(owner, manager),
    notGuest,
  ),
} as const satisfies Record<string, Rule<Facts>>

/** What the features that are announced will know of an item, beside what is known of every one. */
export interface AnnouncedFacts extends Facts {
  readonly announced: {
    /** The setting temp_file_folder_notify. */
    readonly urging: boolean
    /** The setting process_level. */
    readonly processLevel: number
    /** Whether a process of the item is open, circulating or not submitted yet. */
    readonly isInProcess: boolean
    readonly signing: boolean
    readonly mail: boolean
    /** The setting exchange_file_enabled. */
    readonly exchange: boolean
    readonly isOnMainServer: boolean
    /** Whether a rule lets the item from where it lies to some server, for this sender. */
    readonly isExchanged: boolean
  }
}

const offered = (name: string, test: (known: AnnouncedFacts['announced']) => boolean): Rule<AnnouncedFacts> =>
  factOf<AnnouncedFacts>(name, ({ announced }) => test(announced))
const announcedGate = (...rules: readonly Rule<AnnouncedFacts>[]): Rule<AnnouncedFacts> =>
  all<AnnouncedFacts>(real(), ...rules)
/** What a signature is put on. [R157] */
const signable: ReadonlySet<string> = new Set(['pdf', 'doc', 'docx'])

/**
 * Actions of features that are not there yet, each with the rule that its call and its entry will have: the menus' order
 * and the gates around them hold from the start. A feature that comes moves its line to the gates. [R156] [R157] [R159]
 * [R161]
 */
export const announcedGates = {
  urge: announcedGate(
    offered('setting temp_file_folder_notify', ({ urging }) => urging),
    notGuest,
  ),
  startProcess: announcedGate(
    offered('process level 2', ({ processLevel }) => processLevel >= 2),
    factOf<AnnouncedFacts>('no process of it yet', ({ announced }) => !announced.isInProcess, 'alreadyInProcess'),
    notGuest,
  ),
  sign: announcedGate(
    offered('signing', ({ signing }) => signing),
    file,
    fact('pdf, doc or docx', ({ extName }) => signable.has(extName)),
    levelReached,
    harmless,
    right('download'),
    right('modify'),
    right('move'),
    notSigning,
    notGuest,
  ),
  sendMail: announcedGate(
    offered('mail', ({ mail }) => mail),
    capability('download'),
    right('download'),
    levelReached,
    harmless,
    fact('not a sensitive file', ({ status }) => sensitiveBadge(status) === 0, 'sensitiveFile'),
    notGuest,
  ),
  exchange: announcedGate(
    offered('setting exchange_file_enabled', ({ exchange }) => exchange),
    offered('the main server', ({ isOnMainServer }) => isOnMainServer),
    capability('download'),
    right('download'),
    levelReached,
    harmless,
    offered('a rule for its exchange', ({ isExchanged }) => isExchanged),
    notGuest,
  ),
} as const satisfies Record<string, Rule<AnnouncedFacts>>

/** Whether the person may set the secret level of such a file: the status bit 512 tells it. [R235] */
export function mayClassify(facts: Facts): boolean {
  return !facts.isFolder && denial(all(...classifies), facts) === undefined
}

/** Whether the person may end that a folder is an associated one: the status bit 8388608 tells it. [R248] */
export function mayAssociate(facts: Facts): boolean {
  return facts.isFolder && denial(all(...associating), facts) === undefined
}

/** Whether an item is open to requests of the person for more rights: the status bit 1048576 tells it. [R153] */
export function mayApply(facts: Facts): boolean {
  return !facts.isVirtual && denial(all(setting('authorization_menu'), notGranting, notGuest), facts) === undefined
}

/** The name of an action that a gate guards. */
export type GateName = keyof typeof gates
