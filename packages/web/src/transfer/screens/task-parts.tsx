// The parts that every view of transfers draws of a task: its picture, its bar, its words, what can be done with it.
import { codes, extNameOf, formatSize, limits } from '@cloudoc/domain'
import {
  ArrowClockwise16Regular,
  Dismiss16Regular,
  ErrorCircle16Regular,
  Pause16Regular,
  Play16Regular,
  Warning16Regular,
} from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { t as say, type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import type { TaskView } from '../engine/live-task.ts'
import { remainingText } from '../engine/speedometer.ts'
import { kindOf, preciseCode, type TransferError, type TransferKind } from '../engine/states.ts'
import { command } from '../tasks/transfers.ts'
import { decideClashes, restoreFiles } from '../tasks/uploads.ts'

/** Whether it leads to a folder of its own. */
export function hasFolder({ type, isOnlineEdit }: TaskView): boolean {
  return type === 'upload' && !isOnlineEdit
}

/** Whether a task is shown among those under way. */
export function isDoing({ status }: TaskView): boolean {
  return status === 'doing' || status === 'pause'
}

/** Whether a task waits for the person. */
export function needsAttention(task: TaskView): boolean {
  return task.clashes > 0 || task.missing > 0 || task.errorFileCount > 0
}

export function TaskIcon({ task, size = 22 }: { readonly task: TaskView; readonly size?: 16 | 22 }): ReactNode {
  return task.isFolder ? <FolderIcon size={size} /> : <FileIcon ext={extNameOf(task.firstName)} size={size} />
}

interface TaskTextProps {
  readonly task: TaskView
  /** Opens what there is to know of it. */
  readonly onOpen?: () => void
  /** Under the name. */
  readonly children: ReactNode
}

/** What a task carries, beside its picture. */
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

/** Where it goes, or what will become of it where it rests. */
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

/** Where a finished one lies. */
export function wentTo(task: TaskView, t: Translate): string {
  if (task.operation !== undefined) return t(`drive.transfer.edited.${task.operation}`)
  if (task.type === 'upload') return t('drive.transfer.to', { folder: task.cloudPath })
  // Records of before knew of no other way.
  if (task.handedOver ?? task.source === undefined) return t('drive.transfer.handedOver')
  if (task.localPath === '') return t('drive.transfer.down.done')
  return t('drive.transfer.down.saved', { name: task.localPath })
}

/** How far it is. */
export function TaskBar({ task }: { readonly task: TaskView }): ReactNode {
  const t = useT()
  const rests = task.status === 'pause' || task.kind === 'connectionError'
  // Of how many bytes it is nobody knows.
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

/** What a task under way is at. */
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

/** Why a file did not arrive, and what to do about it. */
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

/** Kinds that ask for something else where it is a download that failed. */
const ofDownloads = ['noAccess', 'spaceShortage', 'fileInUse', 'error', 'notFound'] as const
type OfDownloads = (typeof ofDownloads)[number]
function isOfDownloads(kind: TransferKind | 'notFound'): kind is OfDownloads {
  return ofDownloads.some((one) => one === kind)
}

/** Ends a task: one that has not sent everything asks first. */
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

/** Pause or go on, and cancel. */
export function TaskActions({ task, size }: { readonly task: TaskView; readonly size?: 'small' }): ReactNode {
  const t = useT()
  const looks = size === undefined ? {} : { size }
  const rests = task.status === 'pause'
  return (
    <>
      {isDoing(task) && (
        // One button, which keeps the focus when it turns into the other.
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

/** What waits for the person: a decision, files to choose again, failures with the way on. */
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
            onClick={() => void decideClashes(task.taskId, task.cloudPath)}
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
