// Opening a file for editing ([R171], [R172]): the decision, and what it leads to.
import type { ItemRecord } from '@cloudoc/contract'
import { hasRight, hasStatus, itemStatus, openDecision, type ReadOnlyReason, rights } from '@cloudoc/domain'
import { api, CallError, mainServer, refusal } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { localFlag, setLocalFlag } from '../../core/session/local-state.ts'
import { type Session, sessionStore } from '../../core/session/session.ts'
import { withProgressToast } from '../../core/toast/progress-toast.ts'
import { toast } from '../../core/toast/toast.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { type FileRef, isFolder } from '../../items/item/item.ts'
import { isDownloadEncrypted } from '../../items/link-files/encrypted.ts'
import { type ReadOnlyAction, requestLock, waitForLock } from '../locks/lock-requests.ts'
import { acquireLock } from '../shared/edit-transfers.ts'
import { isSystemSupported, queryControlProgram } from './control-program.ts'
import { editLocally } from './edit-locally.ts'
import {
  editorFor,
  isCoeditable,
  isEditable,
  isOfficeServerEditable,
  openOfficeServerEditor,
  refreshLater,
} from './editable.ts'

/** The next UI step after the server has answered; it may ask the user. */
type Next = () => unknown

/** Joins co-editing in the web editor. A file that cannot be co-edited is opened for single-user editing. */
async function openCoedited(item: ItemRecord): Promise<Next> {
  const { joinSession } = await import('./join-session.ts')
  const kept = await joinSession(item)
  if (kept === 'alone') return edit(item)
  return kept === undefined ? () => refreshLater(item) : () => read(item, kept.why)
}

/** The option to offer with each read-only reason. */
const readOnlyActions: Partial<Record<ReadOnlyReason, ReadOnlyAction>> = { noModify: 'rights', notShared: 'wait' }

const lockedBy = (
  { editorId, itemStatus: status }: ItemRecord,
  userId: number | undefined,
): 'nobodyElse' | 'other' | 'several' => {
  if (hasStatus(itemStatus(status), 'editMulti')) return 'several'
  return editorId > 0 && editorId !== userId ? 'other' : 'nobodyElse'
}

/** Files that are being opened; a second request for the same file is ignored. */
const opening = new Set<number>()

/** Opens a file for editing, as far as the permissions of the user allow. */
export async function openFile({ serverId, fId: fileId }: FileRef): Promise<void> {
  // Transfers, drafts and open editors identify a file by its number on the main server.
  if (serverId !== mainServer.serverId) return notifyFailure(refusal('fileEditLock', 'interconnectedServerMissing'))
  const { session } = sessionStore.getState()
  if (session === undefined || opening.has(fileId)) return
  opening.add(fileId)
  try {
    const next = await opened(routeOf(fileId, session)).finally(() => opening.delete(fileId))
    await next()
  } catch (error) {
    notifyFailure(error)
  }
}

const opened = (asked: Promise<Next>): Promise<Next> => withProgressToast('editor.opening', t('editor.opening'), asked)

/** Decides how a file opens, and gets what this needs from the server. */
async function routeOf(fileId: number, session: Session): Promise<Next> {
  const item = await api.of(mainServer).getFileInfo({ fileId })
  const own = rights(item.rights)
  const decided = openDecision({
    isFolder: isFolder(item),
    onlineEdit: session.setting.online_edit,
    canModify: hasRight(own, 'modify'),
    canDownload: hasRight(own, 'download'),
    canPreview: hasRight(own, 'preview'),
    isEditable: isEditable(item),
    lockedBy: lockedBy(item, session.account.userId),
    isShared: isOfficeServerEditable(item) || (isCoeditable(item) && hasRight(own, 'download')),
    // With security_edit, an office page is for the sandbox alone ([R148]).
    hasSandbox:
      (session.setting.sandbox_edit || (session.setting.security_edit && isOfficeServerEditable(item))) &&
      /^win/i.test(navigator.platform),
  })
  switch (decided.way) {
    case 'edit':
      // A file that the user edits alone elsewhere is not joined: they are asked whether to go on here ([R171]).
      return isCoeditable(item) && item.editorId <= 0 ? openCoedited(item) : edit(item)
    case 'join':
      return joinIn(item)
    case 'sandbox':
      // Without the driver, editing with others takes its place ([R172], X42), unless that is for the sandbox as well.
      if (isOfficeServerEditable(item) && !session.setting.security_edit) return joinIn(item)
      return () => remindOfSandbox(item)
    case 'local':
      return (await queryControlProgram()) === undefined ? () => previewInstead(item, session) : () => editLocally(item)
    case 'choose':
      return () => (decided.choices.includes('join') ? joinOrRead(item) : readOrAsk(item))
    case 'readOnly':
      return () => read(item, t(`editor.readOnly.${decided.why}`), readOnlyActions[decided.why])
    case 'askRights':
      return () =>
        openWindow('cloudoc-authorization-apply', {
          item: { serverId: item.serverId, fId: item.fId, fType: 1, fName: item.fName },
        })
    default:
      return () => preview(item)
  }
}

/**
 * There is no driver of the sandbox on this computer: says so and offers the secure view, in which the file bears a
 * watermark and cannot be copied, printed or downloaded ([R184], X42). The reminder can be switched off.
 */
async function remindOfSandbox(item: ItemRecord): Promise<void> {
  if (localFlag('sandboxReminderIgnored')) return preview(item)
  const { button, checked } = await messageBox({
    text: t('editor.sandbox.missing'),
    detail: t('editor.sandbox.missingMore', { name: item.fName }),
    icon: 'warning',
    checkbox: { label: t('box.dontRemind') },
    buttons: [
      { id: 'cancel', text: t('box.cancel') },
      { id: 'view', text: t('editor.sandbox.view'), kind: 'primary' },
    ],
  })
  if (button !== 'view') return
  if (checked) setLocalFlag('sandboxReminderIgnored', true)
  preview(item)
}

/**
 * Previews a file that can only be edited by a program on this computer. Where the company has such programs, a message
 * says that none answers, and leads to it, or that there is none for this system ([R171], [R185]).
 */
function previewInstead(item: ItemRecord, { setting }: Session): void {
  preview(item)
  if (!setting.local_edit) return
  if (!isSystemSupported()) return toast({ text: t('editor.local.noSystem'), kind: 'warning' })
  const action = { text: t('editor.local.get'), run: () => void editLocally(item) }
  toast({ text: t('editor.local.previewed', { name: item.fName }), kind: 'warning', action })
}

/** Another user edits the file: asks the user to read it, to wait for it, or to request it ([R171]). */
async function readOrAsk(item: ItemRecord): Promise<void> {
  // Waiting is not offered for a file that can only be read.
  const canWait = isEditable(item)
  const answer = await openWindow('cloudoc-edit-held', { item, canWait })
  if (answer?.action === 'read') {
    read(item, t('editor.readOnly.held', { name: item.editorName, n: item.version }), canWait ? 'ask' : undefined)
  }
  if (answer === undefined || answer.action === 'read') return
  const isFree = await (answer.action === 'wait' ? waitForLock(item) : requestLock(item, answer.message))
  if (isFree) await openFile(item)
}

const joinIn = async (item: ItemRecord): Promise<Next> =>
  isCoeditable(item) ? openCoedited(item) : () => openOfficeServerEditor(item)

/** Several users co-edit the file: asks the user to join, or to read the stored version. */
async function joinOrRead(item: ItemRecord): Promise<void> {
  const { button } = await messageBox({
    text:
      item.editorNames === ''
        ? t('together.held', { name: item.fName })
        : t('together.heldBy', { name: item.fName, who: item.editorNames }),
    icon: 'question',
    buttons: [
      { id: 'cancel', text: t('box.cancel') },
      { id: 'read', text: t('together.read') },
      { id: 'join', text: t('together.join'), kind: 'primary' },
    ],
  })
  if (button === 'join') await (await opened(joinIn(item)))()
  if (button === 'read') read(item, t('together.readMeanwhile', { n: item.version }))
}

/** Acquires the lock and opens the editor. If the server refuses the lock, the file opens read-only with the reason. */
async function edit(item: ItemRecord): Promise<Next> {
  try {
    const { version } = await acquireLock({ fileId: item.fId, fileName: item.fName })
    return () => {
      void openWindow(editorFor(item) ?? 'cloudoc-edit-text', { item: { ...item, version }, readOnly: '' })
      refreshLater(item)
    }
  } catch (error) {
    if (!(error instanceof CallError) || error.code === 'network' || error.code === 'timeout') throw error
    if (error.code === 'fileLocked' && item.editorId === sessionStore.getState().session?.account.userId) {
      return () => takeOverEdit(item)
    }
    return () => read(item, error.message)
  }
}

/** The user has the lock elsewhere, or a stale lock: offers to end that edit. */
async function takeOverEdit(item: ItemRecord): Promise<void> {
  const { button } = await messageBox({
    text: t('editor.elsewhere', { name: item.fName }),
    detail: t('editor.elsewhere.more'),
    icon: 'question',
    buttons: [
      { id: 'cancel', text: t('box.cancel') },
      { id: 'read', text: t('together.read') },
      { id: 'here', text: t('editor.elsewhere.here'), kind: 'primary' },
    ],
  })
  if (button === 'read') read(item, t('editor.readOnly.elsewhere'))
  if (button !== 'here') return
  await api.of(item).forceUnlockFiles({ fileIdArray: [item.fId], all: false })
  await openFile(item)
}

function read(item: ItemRecord, why: string, wayOn?: ReadOnlyAction): void {
  const editor = editorFor(item)
  // An encrypted download is nothing that an editor can show ([R205]).
  if (editor === undefined || isDownloadEncrypted([item])) {
    preview(item)
    toast({ text: why, kind: 'info' })
  } else void openWindow(editor, { item, readOnly: why, ...(wayOn !== undefined && { readOnlyAction: wayOn }) })
}

function preview({ serverId, fId, fName, fileSize, rights: own }: ItemRecord): void {
  const canDownload = hasRight(rights(own), 'download')
  const canPreview = hasRight(rights(own), 'preview')
  const file = { serverId, fId, fName, fileSize, canPreview, canDownload, canPrint: false }
  void openWindow('previewer', { fileInfo: file })
}
