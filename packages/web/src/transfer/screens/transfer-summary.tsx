// The transfers in the status bar and the panel above it: running tasks and tasks that need the user.
import { formatSize } from '@cloudoc/domain'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation, useNavigate } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { dismissToastOf } from '../../core/toast/toast.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import {
  ArrowDown12Regular,
  ArrowUp12Regular,
  Checkmark16Regular,
  ChevronDown16Regular,
  Dismiss16Regular,
  FolderOpen16Regular,
  Pause16Regular,
  Play16Regular,
  Warning16Regular,
} from '../../kit/icons.ts'
import type { TaskView } from '../engine/live-task.ts'
import { remainingText } from '../engine/speedometer.ts'
import { command, openFolderOf, transferPanel, uploadNoticeKey, useTransfers } from '../tasks/transfers.ts'
import { keepFocus } from './keep-focus.ts'
import {
  hasFolder,
  isDoing,
  needsAttention,
  stateText,
  TaskActions,
  TaskBar,
  TaskIcon,
  TaskStrips,
  TaskText,
  wentTo,
} from './task-parts.tsx'
import './transfer.css'

/** Milliseconds that the panel stays open after everything has arrived. */
const foldMs = 4000
/** The maximum number of tasks in the panel. The page shows the rest. */
const mostShown = 4

/** The transfers in the status bar. A click opens and closes the panel. */
export function TransferSummary(): ReactNode {
  const t = useT()
  const { tasks } = useTransfers()
  // If the user opens the panel, it takes the focus. If it opens automatically, the focus does not move.
  const [open, setOpen] = useState<'byItself' | 'byHand'>()
  const button = useRef<HTMLButtonElement>(null)
  // The focus returns to the button. If that is gone too, it moves to the page.
  const focusBack = useCallback(() => {
    const inPage = (what: string): HTMLElement | null => document.querySelector(`main ${what}`)
    const next = button.current ?? inPage('[tabindex="0"]') ?? inPage(':is(a[href], button:enabled)')
    next?.focus()
  }, [])
  // Only tasks that started on this page. The page of transfers shows older records.
  const [since] = useState(() => Date.now())
  const recent = tasks.filter((task) => isDoing(task) || task.completedTime >= since)
  const doing = recent.filter(isDoing)
  const attention = recent.filter(needsAttention).length

  // Runs in a layout effect, before anything else: a very short upload is reported by the panel, not by an additional
  // toast.
  useLayoutEffect(() => {
    transferPanel.setState({ open: open !== undefined })
    if (open === undefined) return
    dismissToastOf(uploadNoticeKey)
  }, [open])
  useEffect(() => () => transferPanel.setState({ open: false }), [])

  // The panel opens automatically when a transfer starts. Transfers from an earlier page are shown in the status bar
  // only. On the page of transfers the panel stays closed.
  const onPage = useLocation().pathname.startsWith('/doc/folder/transfer')
  useEffect(() => {
    if (onPage) setOpen(undefined)
  }, [onPage])
  // The editor reports its own transfers.
  const begun = tasks.filter(({ createTime, isOnlineEdit }) => createTime >= since && !isOnlineEdit)
  const newest = begun.at(-1)?.taskId ?? 0
  const before = useRef(newest)
  useLayoutEffect(() => {
    if (newest > before.current && !onPage) setOpen((was) => was ?? 'byItself')
    before.current = newest
  }, [newest, onPage])

  // If everything succeeded, the panel has nothing more to show.
  const allWell = recent.length > 0 && doing.length === 0 && attention === 0
  useEffect(() => {
    if (!allWell) return
    const timer = setTimeout(() => setOpen(undefined), foldMs)
    return () => clearTimeout(timer)
  }, [allWell])

  if (recent.length === 0) return null
  const left = doing.reduce((sum, task) => sum + task.left, 0)
  const speed = doing.reduce((sum, task) => sum + task.speed, 0)
  const etas = doing.flatMap(({ eta }) => eta ?? [])
  const isDown = doing.every(({ type }) => type === 'download')
  const allRest = doing.length > 0 && doing.every(({ status }) => status === 'pause')
  return (
    <>
      <button
        type="button"
        ref={button}
        className="dr-transfer-status"
        aria-expanded={open !== undefined}
        onClick={() => setOpen(open === undefined ? 'byHand' : undefined)}
      >
        {doing.length > 0 ? (
          <>
            {allRest ? <Pause16Regular /> : isDown ? <ArrowDown12Regular /> : <ArrowUp12Regular />}
            {[
              left.toLocaleString(),
              speed > 0 && `${formatSize(speed, 1)}/s`,
              etas.length > 0 && remainingText(Math.max(...etas), t),
              allRest && t('drive.transfer.kind.paused'),
              doing.some(({ kind }) => kind === 'connectionError') && t('drive.transfer.kind.connectionError'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </>
        ) : attention === 0 ? (
          <>
            <Checkmark16Regular />
            {t('drive.transfer.done')}
          </>
        ) : null}
        {attention > 0 && (
          <span className="is-warning">
            <Warning16Regular />
            {t('drive.transfer.attention', { n: attention })}
          </span>
        )}
      </button>
      {open !== undefined &&
        createPortal(
          <TransferPanel
            tasks={recent}
            takesFocus={open === 'byHand'}
            onLeft={focusBack}
            onClose={() => setOpen(undefined)}
          />,
          document.body,
        )}
    </>
  )
}

interface TransferPanelProps {
  readonly tasks: readonly TaskView[]
  readonly takesFocus: boolean
  /** Called when the panel closes while it has the focus. */
  readonly onLeft: () => void
  readonly onClose: () => void
}

function TransferPanel({ tasks, takesFocus, onLeft, onClose }: TransferPanelProps): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) panel.current?.focus()
  }, [takesFocus])
  useEffect(() => keepFocus(panel.current), [])
  useLayoutEffect(() => {
    const here = panel.current
    return () => {
      if (!here?.contains(document.activeElement)) return
      queueMicrotask(() => {
        if (document.activeElement === document.body) onLeft()
      })
    }
  }, [onLeft])
  const doing = tasks.filter(isDoing)
  const over = tasks.filter((task) => !isDoing(task))
  const arrived = doing.reduce((sum, task) => sum + task.successFileCount, 0)
  const done = tasks.reduce((sum, task) => sum + task.successFileCount, 0)
  const failed = tasks.reduce((sum, task) => sum + task.errorFileCount, 0)
  const running = doing.filter(({ status }) => status === 'doing')
  // Tasks that need the user first, then running tasks, then the newest ended ones.
  const shown = [...doing, ...over.reverse()].sort((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)))
  const types = new Set((doing.length > 0 ? doing : over).map(({ type }) => type))
  const [only = 'upload'] = types
  const words = `drive.${types.size > 1 ? 'both' : only}` as const
  const onlyHanded = over.every((task) => task.type === 'download' && (task.handedOver ?? task.source === undefined))
  const title =
    doing.length > 0
      ? t(`${words}.title`, { done: arrived, n: total(doing) })
      : failed > 0
        ? t(`${words}.titleFailed`, { done, failed })
        : onlyHanded
          ? t('drive.transfer.handedOver')
          : t(`${words}.titleDone`, { n: done })
  return (
    <section
      className="dr-transfer"
      aria-label={t('drive.transfer')}
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <header>
        <b aria-live="polite">{title}</b>
        {doing.length > 0 && (
          <IconButton
            label={t(running.length > 0 ? 'drive.transfer.pauseAll' : 'drive.transfer.restartAll')}
            icon={running.length > 0 ? <Pause16Regular /> : <Play16Regular />}
            onClick={() => {
              for (const task of running) command('pause', task)
              for (const task of running.length > 0 ? [] : doing) command('restart', task)
            }}
          />
        )}
        <IconButton
          label={t(doing.length > 0 ? 'drive.upload.fold' : 'drive.close')}
          icon={doing.length > 0 ? <ChevronDown16Regular /> : <Dismiss16Regular />}
          onClick={onClose}
        />
      </header>
      <ul>
        {shown.slice(0, mostShown).map((task) => (
          <PanelRow key={task.taskId} task={task} />
        ))}
      </ul>
      <footer>
        {shown.length > mostShown && <span>{t('drive.transfer.more', { n: shown.length - mostShown })}</span>}
        <Button
          kind="link"
          onClick={() => {
            void navigate(doing.length > 0 ? '/doc/folder/transfer/doing' : '/doc/folder/transfer/done')
            onClose()
          }}
        >
          {t('drive.transfer.all')}
        </Button>
      </footer>
    </section>
  )
}

/** Returns the number of files of these tasks. */
function total(tasks: readonly TaskView[]): number {
  return tasks.reduce((sum, { totalFileCount }) => sum + totalFileCount, 0)
}

function PanelRow({ task }: { readonly task: TaskView }): ReactNode {
  const t = useT()
  const active = isDoing(task)
  return (
    <li className="dr-panel-task">
      <TaskIcon task={task} />
      <TaskText task={task}>
        {active && <TaskBar task={task} />}
        <small>
          {active
            ? stateText(task, t)
            : task.errorFileCount === 0 && (
                <>
                  {task.type === 'download' && <ArrowDown12Regular />}
                  {wentTo(task, t)}
                </>
              )}
        </small>
      </TaskText>
      {active ? (
        <TaskActions task={task} size="small" />
      ) : (
        task.errorFileCount === 0 && (
          <>
            {task.instantFileCount > 0 && <StatusChip tone="info">{t('drive.transfer.instant')}</StatusChip>}
            {hasFolder(task) && (
              <IconButton
                size="small"
                label={t('drive.transfer.openFolder')}
                icon={<FolderOpen16Regular />}
                onClick={() => openFolderOf(task)}
              />
            )}
            <Checkmark16Regular className="dr-success" />
          </>
        )
      )}
      <TaskStrips task={task} />
    </li>
  )
}
