// The parts of a task that all transfer views share: icon, progress bar, text and buttons.
import { codes, extNameOf, formatSize, limits } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { t as say, type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  ArrowClockwise16Regular,
  Dismiss16Regular,
  ErrorCircle16Regular,
  Pause16Regular,
  Play16Regular,
  Warning16Regular,
} from '../../kit/icons.ts'
import type { TaskView } from '../engine/live-task.ts'
import { remainingText } from '../engine/speedometer.ts'
import { kindOf, preciseCode, type TransferError, type TransferKind } from '../engine/states.ts'
import { command } from '../tasks/transfers.ts'
import { restoreFiles } from '../tasks/uploads.ts'
import { RefusedDownload } from './refused-download.tsx'

/** Whether the task has a folder to open. */
export function hasFolder({ type, isOnlineEdit }: TaskView): boolean {
  return type === 'upload' && !isOnlineEdit
}

/** Whether a task is listed among the running ones. */
export function isDoing({ status }: TaskView): boolean {
  return status === 'doing' || status === 'pause'
}

/** Whether a task needs a decision of the user. */
export function needsAttention(task: TaskView): boolean {
  return task.clashes > 0 || task.missing > 0 || task.errorFileCount > 0
}

export function TaskIcon({ task, size = 22 }: { readonly task: TaskView; readonly size?: 16 | 22 }): ReactNode {
  return task.isFolder ? <FolderIcon size={size} /> : <FileIcon ext={extNameOf(task.firstName)} size={size} />
}

interface TaskTextProps {
  readonly task: TaskView
  /** Opens the details. */
  readonly onOpen?: () => void
  /** Shown below the name. */
  readonly children: ReactNode
}

/** The name of a task and the text next to its icon. */
export function TaskText({ task: { description }, onOpen, children }: TaskTextProps): ReactNode {
  const name = { className: 'dr-transfer-name', title: description }
  return (
    <div className="dr-task-text">
      {onOpen === undefined ? (
        <span {...name}>{description}</span>
      ) : (
        <button type="button" {...name} onClick={onOpen}>
          {description}
        </button>
      )}
      {children}
    </div>
  )
}

/** Returns the target of the task, or its state if it is not running. */
export function goesTo(task: TaskView, t: Translate): string {
  if (task.operation !== undefined) return t(`drive.transfer.edit.${task.operation}`)
  const { cloudPath: folder, successFileCount: done, totalFileCount: n } = task
  if (task.type === 'upload') {
    return n > 1 ? t('drive.transfer.toCount', { folder, done, n }) : t('drive.transfer.to', { folder })
  }
  if (task.status === 'pause' && task.totalSize === 0 && task.through > 0) return t('drive.transfer.down.restarts')
  if (task.localPath === '') return t('drive.transfer.down')
  return t('drive.transfer.down.to', { name: task.localPath })
}

/** Returns the location of a finished download or upload. */
export function wentTo(task: TaskView, t: Translate): string {
  if (task.operation !== undefined) return t(`drive.transfer.edited.${task.operation}`)
  if (task.type === 'upload') return t('drive.transfer.to', { folder: task.cloudPath })
  // Older records have no such field: the browser ran all downloads.
  if (task.handedOver ?? task.source === undefined) return t('drive.transfer.handedOver')
  if (task.localPath === '') return t('drive.transfer.down.done')
  return t('drive.transfer.down.saved', { name: task.localPath })
}

/** The progress bar. */
export function TaskBar({ task }: { readonly task: TaskView }): ReactNode {
  const t = useT()
  const rests = task.status === 'pause' || task.kind === 'connectionError'
  // The total size is unknown.
  const isOpen = task.type === 'download' && task.totalSize === 0
  return (
    <div
      className={`dr-progress${rests ? ' is-resting' : ''}${isOpen ? ' is-open' : ''}`}
      role="progressbar"
      aria-label={t('drive.transfer.progress', { name: task.description })}
      aria-valuemin={0}
      aria-valuemax={limits.progressComplete}
      aria-valuenow={isOpen ? undefined : task.progress}
    >
      <i style={isOpen ? undefined : { width: `${task.progress / 10}%` }} />
    </div>
  )
}

/** Returns the state of a running task as text. */
export function stateText(task: TaskView, t: Translate): string {
  const { kind, phase, speed, eta } = task
  if (kind !== 'running') return t(`drive.transfer.kind.${kind}`)
  if (phase === 'checking' || phase === 'saving') return t(`drive.transfer.phase.${phase}`)
  const got = task.type === 'download' && task.totalSize === 0 && task.through > 0
  const parts = [
    got && t('drive.transfer.down.size', { size: formatSize(task.through, 1) }),
    speed > 0 && `${formatSize(speed, 1)}/s`,
    eta !== undefined && remainingText(eta, t),
  ].filter(Boolean)
  return parts.length === 0 ? t('drive.transfer.kind.running') : parts.join(' · ')
}

/** Returns why a file did not arrive, and what to do about it. */
export function errorText(
  error: TransferError,
  { type, operation }: Pick<TaskView, 'type' | 'operation'>,
  locale: 'zh' | 'en',
  t: Translate,
): { what: string; advice: string } {
  const kind = kindOf(error)
  const code = preciseCode(error)
  const ownWords = error === 'diskFull' || error === 'unwritable'
  const what = ownWords ? t(`drive.transfer.why.${error}`) : t(`drive.transfer.kind.${kind}`)
  return {
    what: code === undefined ? what : codes[code][locale],
    advice:
      operation !== undefined
        ? t(operation === 'submit' ? 'drive.transfer.editAdvice.submit' : 'drive.transfer.editAdvice.read')
        : type === 'download'
          ? downAdvice(error, t)
          : t(`drive.transfer.advice.${kind}`),
  }
}

function downAdvice(error: TransferError, t: Translate): string {
  const kind = error === 'notFound' ? error : kindOf(error)
  return t(isOfDownloads(kind) ? `drive.transfer.downAdvice.${kind}` : `drive.transfer.advice.${kind}`)
}

/** Kinds with a different text for failed downloads. */
const ofDownloads = ['noAccess', 'spaceShortage', 'fileInUse', 'error', 'notFound'] as const
type OfDownloads = (typeof ofDownloads)[number]
function isOfDownloads(kind: TransferKind | 'notFound'): kind is OfDownloads {
  return ofDownloads.some((one) => one === kind)
}

/** Cancels a task. Asks for confirmation if it has not sent everything. */
export async function interrupt(task: TaskView): Promise<void> {
  const isAsked = isDoing(task) && task.left > 0
  const sure =
    !isAsked ||
    (await confirmBox({
      text: say('drive.transfer.interruptAsk', { name: task.description }),
      detail: say(
        task.isOnlineEdit
          ? 'drive.transfer.interruptEdit'
          : task.type === 'download'
            ? 'drive.transfer.interruptDown'
            : 'drive.transfer.interruptWhy',
      ),
      ok: say('drive.transfer.interruptGo'),
      cancel: say('drive.transfer.goOn'),
      danger: true,
    }))
  if (sure) command('interrupt', task)
}

/** Buttons to pause or resume, and to cancel. */
export function TaskActions({ task, size }: { readonly task: TaskView; readonly size?: 'small' }): ReactNode {
  const t = useT()
  const looks = size === undefined ? {} : { size }
  const rests = task.status === 'pause'
  return (
    <>
      {isDoing(task) && (
        // A single button, so that the focus stays when it changes between pause and resume.
        <IconButton
          {...looks}
          label={t(rests ? 'drive.transfer.restart' : 'drive.transfer.pause')}
          icon={rests ? <Play16Regular /> : <Pause16Regular />}
          onClick={() => command(rests ? 'restart' : 'pause', task)}
        />
      )}
      <IconButton
        {...looks}
        label={t('drive.transfer.interrupt')}
        icon={<Dismiss16Regular />}
        onClick={() => void interrupt(task)}
      />
    </>
  )
}

/** Notices that need the user: decisions, files to choose again, and failures with a retry. */
export function TaskStrips({ task }: { readonly task: TaskView }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [first] = task.errorFiles
  return (
    <>
      {task.clashes > 0 && (
        <div className="dr-notice is-warning">
          <Warning16Regular />
          <span>{t('drive.transfer.clashes', { n: task.clashes })}</span>
          <Button
            size="small"
            disabled={task.elsewhere}
            onClick={() =>
              void import('../tasks/decide-clashes.ts').then((module) =>
                module.decideClashes(task.taskId, task.cloudPath),
              )
            }
          >
            {t('drive.transfer.decide')}
          </Button>
        </div>
      )}
      {task.missing > 0 && (
        <div className="dr-notice is-warning">
          <Warning16Regular />
          <span>{t('drive.transfer.missing', { n: task.missing })}</span>
          <Button size="small" disabled={task.elsewhere} onClick={() => void restoreFiles(task.taskId)}>
            {t('drive.transfer.choose')}
          </Button>
        </div>
      )}
      {first !== undefined && (
        <div className="dr-notice is-danger">
          <ErrorCircle16Regular />
          <span>
            {task.totalFileCount > 1 && `${t('drive.transfer.failed', { n: task.errorFileCount })} · `}
            {failureLine(first.error, task, locale, t)}
          </span>
          {first.error === 'noPermission' && task.source !== undefined && <RefusedDownload source={task.source} />}
          <Button size="small" onClick={() => void openWindow('web-transfer-detail', { taskId: task.taskId })}>
            {t('drive.transfer.look')}
          </Button>
          <Button size="small" icon={<ArrowClockwise16Regular />} onClick={() => command('restartFailed', task)}>
            {t('drive.transfer.restartFailed')}
          </Button>
        </div>
      )}
    </>
  )
}

function failureLine(error: TransferError, task: TaskView, locale: 'zh' | 'en', t: Translate): string {
  const { what, advice } = errorText(error, task, locale, t)
  return locale === 'zh' ? `${what}。${advice}` : `${what}. ${advice}`
}
