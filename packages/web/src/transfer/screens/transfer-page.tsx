// The page of transfers ([R192]): running tasks with their actions, and ended tasks.
import { formatSize, shortTime } from '@cloudoc/domain'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { NavLink, useLocation, useNavigate } from 'react-router'
import { windowBridge } from '../../core/bridge/window-bridge.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { OwnButtons } from '../../core/windows/own-bar.tsx'
import { EmptyPicture, StatePage } from '../../items/lists/list-states.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import {
  ArrowClockwise16Regular,
  ArrowDown12Regular,
  ArrowUp12Regular,
  Checkmark16Regular,
  Dismiss16Regular,
  FolderOpen16Regular,
  Pause16Regular,
  Play16Regular,
} from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import type { TaskView } from '../engine/live-task.ts'
import { chooseEncryptedFile } from '../tasks/encrypted-files.ts'
import {
  chooseParallel,
  chosenParallel,
  command,
  openFolderOf,
  parallelChoices,
  transfers,
  useTransfers,
} from '../tasks/transfers.ts'
import { keepFocus } from './keep-focus.ts'
import {
  goesTo,
  hasFolder,
  interrupt,
  isDoing,
  stateText,
  TaskActions,
  TaskBar,
  TaskIcon,
  TaskStrips,
  TaskText,
  wentTo,
} from './task-parts.tsx'

/** The number of finished tasks shown next to the running ones. */
const recentShown = 8

/** /doc/folder/transfer/doing and /doc/folder/transfer/done: one page, so that the focus stays on the selected tab. */
/** The address of the pages of transfers: the phone has them in a frame of its own. */
function usePath(): { readonly base: string; readonly isDone: boolean } {
  const { pathname } = useLocation()
  const at = pathname.lastIndexOf('/')
  return { base: pathname.slice(0, at), isDone: pathname.slice(at) === '/done' }
}

export function TransferPage(): ReactNode {
  const t = useT()
  const { isDone } = usePath()
  const { doing, over } = useLists()
  const { encryption_download } = useSession().setting
  return (
    <div className="dr-transfers" ref={keepFocus}>
      <Head doing={doing.length} over={over.length}>
        {encryption_download && <Button onClick={chooseEncryptedFile}>{t('drive.transfer.openEncrypted')}</Button>}
        {isDone ? (
          <Button disabled={over.length === 0} onClick={() => transfers.clearFinished()}>
            {t('drive.transfer.clear')}
          </Button>
        ) : (
          <DoingTools doing={doing} />
        )}
      </Head>
      {isDone ? (
        <DoneList tasks={over} />
      ) : (
        <div className="dr-transfers-two">
          <DoingList tasks={doing} />
          {over.length > 0 && <Recent tasks={over} />}
        </div>
      )}
    </div>
  )
}

/** /progress: the running tasks on a separate page. */
export function ProgressPage(): ReactNode {
  const t = useT()
  const { doing } = useLists()
  return (
    <main className="dr-transfers is-alone" ref={keepFocus}>
      {windowBridge().ownsWindow && (
        <header className="dr-progress-bar">
          <h1>{t('drive.transfer.doing')}</h1>
          <OwnButtons />
        </header>
      )}
      <header>
        {!windowBridge().ownsWindow && <h1>{t('drive.transfer.doing')}</h1>}
        <DoingTools doing={doing} />
      </header>
      <DoingList tasks={doing} />
    </main>
  )
}

/** Returns the running tasks in start order, and the ended tasks, newest first. */
function useLists(): { readonly doing: readonly TaskView[]; readonly over: readonly TaskView[] } {
  const { tasks } = useTransfers()
  return useMemo(() => {
    return { doing: tasks.filter(isDoing), over: tasks.filter((task) => !isDoing(task)).reverse() }
  }, [tasks])
}

interface HeadProps {
  readonly doing: number
  readonly over: number
  readonly children: ReactNode
}

function Head({ doing, over, children }: HeadProps): ReactNode {
  const t = useT()
  const { base } = usePath()
  return (
    <header>
      <nav aria-label={t('drive.transfer.tabs')}>
        <NavLink to={`${base}/doing`}>
          {t('drive.transfer.doing')}
          <b>{doing}</b>
        </NavLink>
        <NavLink to={`${base}/done`}>
          {t('drive.transfer.done')}
          <b>{over}</b>
        </NavLink>
      </nav>
      {children}
    </header>
  )
}

function DoingTools({ doing }: { readonly doing: readonly TaskView[] }): ReactNode {
  const t = useT()
  const [atOnce, setAtOnce] = useState(chosenParallel)
  const running = doing.filter(({ status }) => status === 'doing')
  const resting = doing.filter(({ status }) => status === 'pause')
  return (
    <>
      <Button
        icon={<Pause16Regular />}
        disabled={running.length === 0}
        onClick={() => {
          for (const task of running) command('pause', task)
        }}
      >
        {t('drive.transfer.pauseAll')}
      </Button>
      <Button
        icon={<Play16Regular />}
        disabled={resting.length === 0}
        onClick={() => {
          for (const task of resting) command('restart', task)
        }}
      >
        {t('drive.transfer.restartAll')}
      </Button>
      <Select
        label={t('drive.transfer.atOnceWhy')}
        value={atOnce}
        options={parallelChoices.map((count) => ({ value: count, label: t('drive.transfer.atOnce', { n: count }) }))}
        onChange={(count) => {
          setAtOnce(count)
          chooseParallel(count)
        }}
      />
    </>
  )
}

function DoingList({ tasks }: { readonly tasks: readonly TaskView[] }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => tasks[index]?.taskId ?? index,
    estimateSize: () => 68,
    overscan: 6,
  })
  if (tasks.length === 0) {
    return (
      <StatePage picture={<EmptyPicture />} title={t('drive.transfer.nothing')} text={t('drive.transfer.nothingHint')}>
        <Button onClick={() => void navigate('/doc/folder/files')}>{t('drive.transfer.toFiles')}</Button>
      </StatePage>
    )
  }
  return (
    <div className="dr-transfers-list" ref={scroller}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const task = tasks[index]
          return (
            task && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
                className="dr-transfer-row"
              >
                <DoingRow task={task} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

function DoingRow({ task }: { readonly task: TaskView }): ReactNode {
  const t = useT()
  const isUpload = task.type === 'upload'
  const isOpen = !isUpload && task.totalSize === 0
  return (
    <>
      <TaskIcon task={task} />
      <TaskText task={task} onOpen={() => void openWindow('web-transfer-detail', { taskId: task.taskId })}>
        <small>
          {isUpload ? <ArrowUp12Regular /> : <ArrowDown12Regular />}
          <span>
            {goesTo(task, t)}
            {task.elsewhere && ` · ${t('drive.transfer.elsewhere')}`}
          </span>
        </small>
      </TaskText>
      <div className="dr-transfer-bar">
        <div>
          <span>{isOpen ? '' : t('drive.transfer.percent', { n: Math.floor(task.progress / 10) })}</span>
          <span className={task.kind === 'connectionError' ? 'is-warning' : ''}>{stateText(task, t)}</span>
        </div>
        <TaskBar task={task} />
      </div>
      <div className="dr-transfer-actions">
        <TaskActions task={task} />
      </div>
      <TaskStrips task={task} />
    </>
  )
}

function Recent({ tasks }: { readonly tasks: readonly TaskView[] }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const more = tasks.length - recentShown
  return (
    <section className="dr-recent" aria-label={t('drive.transfer.recent')}>
      <header>
        <h2>{t('drive.transfer.recent')}</h2>
        <Button kind="link" onClick={() => transfers.clearFinished()}>
          {t('drive.transfer.clear')}
        </Button>
      </header>
      <ul>
        {tasks.slice(0, recentShown).map((task) => (
          <li key={task.taskId} className="dr-done-row">
            <DoneRow task={task} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <footer>
          {t('drive.transfer.more', { n: more })}
          <Button kind="link" onClick={() => void navigate('/doc/folder/transfer/done')}>
            {t('drive.transfer.all')}
          </Button>
        </footer>
      )}
    </section>
  )
}

const doneHeight = 56

function DoneList({ tasks }: { readonly tasks: readonly TaskView[] }): ReactNode {
  const t = useT()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => doneHeight,
    overscan: 8,
  })
  if (tasks.length === 0) {
    return (
      <StatePage
        picture={<EmptyPicture />}
        title={t('drive.transfer.nothingDone')}
        text={t('drive.transfer.nothingDoneHint')}
      />
    )
  }
  return (
    <div className="dr-transfers-list" ref={scroller}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const task = tasks[index]
          return (
            task && (
              <li key={task.taskId} className="dr-done-row" style={{ transform: `translateY(${start}px)` }}>
                <DoneRow task={task} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

function DoneRow({ task }: { readonly task: TaskView }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { successFileCount: done, errorFileCount: failed, cloudPath } = task
  const isUpload = task.type === 'upload'
  const size = task.totalSize + (task.sizeBefore ?? 0)
  const facts = [size > 0 && formatSize(size), shortTime(task.completedTime, now, locale)]
  return (
    <>
      <TaskIcon task={task} />
      <TaskText task={task}>
        <small>
          {isUpload ? <ArrowUp12Regular /> : <ArrowDown12Regular />}
          <span>
            {failed > 0 ? (
              <>
                <span className="is-warning">{t('drive.transfer.failed', { n: failed })}</span>
                {done > 0 && ` · ${t('drive.transfer.counts', { done })}`}
              </>
            ) : (
              facts.filter(Boolean).join(' · ')
            )}
            {hasFolder(task) ? ` → ${cloudPath}` : failed === 0 && ` · ${wentTo(task, t)}`}
          </span>
        </small>
      </TaskText>
      {task.instantFileCount > 0 && failed === 0 && <StatusChip tone="info">{t('drive.transfer.instant')}</StatusChip>}
      <div className="dr-done-actions">
        {failed > 0 && (
          <>
            <Button size="small" onClick={() => void openWindow('web-transfer-detail', { taskId: task.taskId })}>
              {t('drive.transfer.look')}
            </Button>
            <IconButton
              label={t('drive.transfer.restartFailed')}
              icon={<ArrowClockwise16Regular />}
              onClick={() => command('restartFailed', task)}
            />
          </>
        )}
        {hasFolder(task) && failed === 0 && (
          <IconButton
            label={t('drive.transfer.openFolder')}
            icon={<FolderOpen16Regular />}
            onClick={() => openFolderOf(task)}
          />
        )}
        <IconButton
          label={t('drive.transfer.forget')}
          icon={<Dismiss16Regular />}
          onClick={() => void interrupt(task)}
        />
      </div>
      {failed === 0 && <Checkmark16Regular className="dr-success" />}
    </>
  )
}
