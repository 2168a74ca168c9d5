// Returns a library or folder to a moment: choose the time, see what would change, act, and undo it later.
import type { ItemRecord, RollbackKind, RollbackSkip } from '@cloudoc/contract'
import { calendarDay, codeText, extNameOf, formatSize, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { nameInSentence } from '../../items/item/short-name.ts'
import { refreshDrive } from '../../items/lists/lists.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { CursorPager } from '../../kit/pager.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import './texts.ts'
import './rollback.css'

export interface RollbackProps {
  readonly item: ItemRecord
}

type Preview = Awaited<ReturnType<ReturnType<typeof api.of>['previewRollback']>>
type Changed = Preview['list'][number]
type Return = Awaited<ReturnType<ReturnType<typeof api.of>['getRollbacks']>>['list'][number]
type Shown = 'all' | 'skipped' | RollbackKind

// The order in which the kinds are offered.
const kinds: readonly RollbackKind[] = ['content', 'rename', 'move', 'restore', 'remove', 'rights', 'link']
const hour = 60 * 60_000
const day = 24 * hour
const pollEveryMs = 500

/** The times that are chosen by one click. */
function presets(now: number, timeZone: string, t: Translate): { readonly text: string; readonly at: number }[] {
  return [
    { text: t('rollback.hour'), at: now - hour },
    { text: t('rollback.midnight'), at: calendarDay(now, timeZone).from },
    { text: t('rollback.yesterday'), at: now - day },
    { text: t('rollback.week'), at: now - 7 * day },
  ]
}

const keyOfReturns = ({ serverId, fId }: ItemRecord) => ['drive', 'rollback', serverId, fId]

export function RollbackWindow({ item, close }: WindowProps<RollbackProps>): ReactNode {
  const t = useT()
  const [tab, setTab] = useState<'choose' | 'history'>('choose')
  const [followed, setFollowed] = useState<number>()
  const returns = useQuery({
    queryKey: keyOfReturns(item),
    queryFn: () => api.of(item).getRollbacks({ folderId: item.fId }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.list.some((one) => one.state === 'waiting') ? pollEveryMs : false),
  })
  const list = returns.data?.list ?? []
  const running = list.find((one) => one.state === 'waiting')
  const current = running ?? list.find((one) => one.rollbackId === followed)
  const ended = current !== undefined && current.state === 'done' ? current.rollbackId : undefined
  useEffect(() => {
    if (ended !== undefined) refreshDrive()
  }, [ended])
  const follow = (rollbackId: number): void => {
    setFollowed(rollbackId)
    void queryClient.invalidateQueries({ queryKey: keyOfReturns(item) })
  }
  if (current !== undefined)
    return <Course item={item} one={current} onUndo={follow} onBack={() => setFollowed(undefined)} close={close} />
  return (
    <>
      <DialogBody>
        <div className="dr-rollback">
          <Tabs
            id="rollback"
            label={t('rollback.tabs')}
            tabs={[
              { tab: 'choose', text: t('rollback.tab.choose') },
              { tab: 'history', text: t('rollback.tab.history'), ...(list.length > 0 && { count: list.length }) },
            ]}
            chosen={tab}
            onChoose={setTab}
          />
          <TabPanel id="rollback" chosen={tab} className="dr-rollback-panel">
            {tab === 'history' ? (
              <History item={item} list={returns.data?.list} onUndo={follow} />
            ) : returns.data === undefined ? (
              returns.error === null ? (
                <Spinner />
              ) : (
                <Problem text={returns.error.message} onRetry={() => void returns.refetch()} />
              )
            ) : (
              <Choose item={item} earliest={returns.data.earliest} onStart={follow} close={close} />
            )}
          </TabPanel>
        </div>
      </DialogBody>
      {tab === 'history' && (
        <DialogFooter>
          <Button onClick={() => close()}>{t('rollback.close')}</Button>
        </DialogFooter>
      )}
    </>
  )
}

function Problem({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }): ReactNode {
  const t = useT()
  return (
    <div className="dr-rollback-note" role="alert">
      <p>{text}</p>
      <Button onClick={onRetry}>{t('rollback.retry')}</Button>
    </div>
  )
}

interface ChooseProps {
  readonly item: ItemRecord
  readonly earliest: number
  readonly onStart: (rollbackId: number) => void
  readonly close: () => void
}

/** The choice of the time, and what would change. */
function Choose({ item, earliest, onStart, close }: ChooseProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { setting } = useSession()
  const [now] = useState(Date.now)
  const [at, setAt] = useState<number>()
  const [withRights, setRights] = useState(true)
  const [withLinks, setLinks] = useState(false)
  const [kind, setKind] = useState<Shown>('all')
  const [rows, setRows] = useState(200)
  const [busy, setBusy] = useState(false)
  const asked = { folderId: item.fId, at: at ?? 0, withRights, withLinks }
  const preview = useQuery({
    queryKey: ['drive', 'rollback', 'preview', item.serverId, asked, kind, rows],
    queryFn: () => api.of(item).previewRollback({ ...asked, kind, rows }, { quiet: true }),
    enabled: at !== undefined,
    placeholderData: (before, query) =>
      (query?.queryKey[4] as typeof asked | undefined)?.at === asked.at ? before : undefined,
    staleTime: 0,
    retry: false,
  })
  const { data } = preview
  const counts = data?.counts
  const time = at === undefined ? '' : shortTime(at, now, locale)
  const choose = (to: number | undefined): void => {
    setAt(to)
    setKind('all')
    setRows(200)
  }
  const start = async (): Promise<void> => {
    if (at === undefined || counts === undefined) return
    const isMeant = await confirmBox({
      title: t('rollback.confirm.title', { time }),
      text: t('rollback.confirm.text', { name: nameInSentence(item.fName), n: counts.changed }),
      ok: t('rollback.act', { time }),
    })
    if (!isMeant) return
    setBusy(true)
    try {
      const { rollbackId } = await api.of(item).startRollback(asked)
      onStart(rollbackId)
    } catch (error) {
      notifyFailure(error)
      setBusy(false)
    }
  }
  const offered: Shown[] = kinds.filter((one) => (counts?.[one] ?? 0) > 0)
  if ((counts?.skipped ?? 0) > 0) offered.push('skipped')
  return (
    <>
      <div className="dr-rollback-choice">
        <span className="dr-rollback-label">{t('rollback.time')}</span>
        <MomentField label={t('rollback.time')} value={at} min={earliest} max={now} onChange={choose} />
        {presets(now, setting.download_time_zone, t)
          .filter((one) => one.at >= earliest)
          .map((one) => (
            <Button key={one.text} size="small" onClick={() => choose(one.at)}>
              {one.text}
            </Button>
          ))}
      </div>
      <div className="dr-rollback-choice">
        <span className="dr-rollback-label">{t('rollback.also')}</span>
        <Checkbox
          label={t('rollback.rights')}
          checked={withRights}
          onChange={({ target }) => setRights(target.checked)}
        />
        <Checkbox label={t('rollback.links')} checked={withLinks} onChange={({ target }) => setLinks(target.checked)} />
        <span className="k-help">{t('rollback.earliest', { time: shortTime(earliest, now, locale) })}</span>
        {offered.length > 0 && (
          <span className="dr-rollback-filter">
            <Select<Shown>
              size="small"
              label={t('rollback.kind')}
              value={kind}
              options={[
                { value: 'all', label: t('rollback.kind.all') },
                ...offered.map((one) => ({
                  value: one,
                  label: `${t(`rollback.kind.${one}`)} ${countOf(counts, one)}`,
                })),
              ]}
              onChange={setKind}
            />
          </span>
        )}
      </div>
      <div className="dr-rollback-list">
        {at === undefined ? (
          <p className="dr-rollback-note">{t('rollback.pick')}</p>
        ) : preview.error !== null ? (
          <Problem text={preview.error.message} onRetry={() => void preview.refetch()} />
        ) : (
          <>
            <Table
              label={t('rollback.kind.all')}
              columns={columnsOf(t, (when) => shortTime(when, now, locale))}
              rows={data?.list}
              keyOf={(row, index) => `${row.fId} ${index}`}
              isRowMuted={({ kinds: some }) => some.length === 0}
              loading={<Spinner label={t('rollback.loading')} />}
              empty={
                <p className="dr-rollback-note">
                  {t('rollback.same')}
                  <br />
                  {t('rollback.samePlan')}
                </p>
              }
            />
            <CursorPager
              hasNext={data !== undefined && data.total > data.list.length && rows < 1000}
              busy={preview.isFetching}
              onNext={() => setRows(1000)}
              label={t('rollback.more')}
            />
          </>
        )}
      </div>
      <div className="dr-rollback-foot">
        <span className="k-help" role="status">
          {counts !== undefined && counts.changed + counts.skipped > 0 && (
            <>
              {counts.skipped > 0
                ? t('rollback.summarySkipped', { n: counts.changed, m: counts.skipped })
                : t('rollback.summary', { n: counts.changed })}
              {counts.bytes > 0 && ` ${t('rollback.bytes', { size: formatSize(counts.bytes) })}`}
            </>
          )}
        </span>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button
          kind="primary"
          disabled={busy || counts === undefined || counts.changed === 0 || preview.isPlaceholderData}
          onClick={() => void start()}
        >
          {at === undefined ? t('rollback.tab.choose') : t('rollback.act', { time })}
        </Button>
      </div>
    </>
  )
}

const countOf = (counts: Preview['counts'] | undefined, kind: Shown): number =>
  counts === undefined || kind === 'all' ? 0 : counts[kind]

function columnsOf(t: Translate, timeOf: (at: number) => string): Column<Changed>[] {
  const named = (row: Changed) => ({ who: row.modifierName, time: timeOf(row.modifyTime) })
  return [
    {
      id: 'name',
      head: t('rollback.column.name'),
      text: 'clip',
      title: (row) => row.fName,
      renderCell: (row) => (
        <span className="dr-rollback-name">
          {row.fType === 2 ? <FolderIcon size={16} /> : <FileIcon ext={extNameOf(row.fName)} size={16} />}
          <span>{row.fName}</span>
        </span>
      ),
    },
    {
      id: 'change',
      head: t('rollback.column.change'),
      width: '220px',
      text: 'wrap',
      renderCell: (row) => changeText(row.kinds, row.skipped, t),
    },
    { id: 'now', head: t('rollback.column.now'), width: '190px', text: 'clip', renderCell: (row) => nowText(row) },
    { id: 'then', head: t('rollback.column.then'), width: '190px', text: 'clip', renderCell: (row) => thenText(row) },
  ]

  function nowText(row: Changed): string {
    if (row.kinds.includes('restore')) return t('rollback.inBin', named(row))
    if (row.kinds.includes('remove')) return t('rollback.made', named(row))
    if (row.kinds.includes('content')) return t('rollback.version', { n: row.version, ...named(row) })
    if (row.kinds.includes('move')) return row.folderName
    return row.kinds.includes('rename') ? row.fName : ''
  }

  function thenText(row: Changed): string {
    if (row.kinds.includes('remove')) return '—'
    const parts = [
      row.kinds.includes('restore') || row.kinds.includes('move') ? row.toFolderName : '',
      row.kinds.includes('rename') ? row.toName : '',
    ].filter((part) => part !== '')
    const place = parts.join(' › ')
    return row.kinds.includes('content')
      ? [t('rollback.versionThen', { n: row.toVersion }), place].filter(Boolean).join(' · ')
      : place
  }
}

function changeText(of: readonly RollbackKind[], skipped: RollbackSkip | '', t: Translate): string {
  return [
    ...of.map((kind) => t(`rollback.kind.${kind}`)),
    ...(skipped === '' ? [] : [t(`rollback.skip.${skipped}`)]),
  ].join(' · ')
}

interface CourseProps {
  readonly item: ItemRecord
  readonly one: Return
  readonly onUndo: (rollbackId: number) => void
  readonly onBack: () => void
  readonly close: () => void
}

/** The progress of a return, and its result. */
function Course({ item, one, onUndo, onBack, close }: CourseProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const [shown, setShown] = useState(false)
  const time = shortTime(one.time, now, locale)
  const isUndo = one.undoOf !== 0
  return (
    <>
      <DialogBody>
        <div className="dr-rollback dr-rollback-course" role="status">
          {one.state === 'waiting' && (
            <>
              <h3>{isUndo ? t('rollback.undoing') : t('rollback.running', { time })}</h3>
              <progress
                max={1000}
                value={one.progress}
                aria-label={isUndo ? t('rollback.undoing') : t('rollback.running', { time })}
              />
              <p className="k-help">{t('rollback.runningNote')}</p>
            </>
          )}
          {one.state === 'done' && (
            <>
              <h3>
                {isUndo ? t('rollback.undone', { n: one.changed }) : t('rollback.done', { time, n: one.changed })}
              </h3>
              {one.skipped > 0 && (
                <p>
                  {t('rollback.left', { n: one.skipped })}{' '}
                  {!shown && (
                    <Button size="small" onClick={() => setShown(true)}>
                      {t('rollback.leftWhich')}
                    </Button>
                  )}
                </p>
              )}
              {shown && <Left item={item} rollbackId={one.rollbackId} />}
            </>
          )}
          {one.state === 'failed' && (
            <p role="alert">
              {t('rollback.failed', {
                reason: one.problem === 0 ? t('rollback.failedUnknown') : codeText(one.problem, locale),
              })}
            </p>
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        {one.state === 'done' && !one.undone && <Undo item={item} one={one} onUndo={onUndo} />}
        {one.state === 'failed' && <Button onClick={onBack}>{t('rollback.retry')}</Button>}
        <Button kind="primary" onClick={() => close()}>
          {t('rollback.close')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** What a return left as it is. */
function Left({ item, rollbackId }: { readonly item: ItemRecord; readonly rollbackId: number }): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['drive', 'rollback', 'left', item.serverId, rollbackId],
    queryFn: () => api.of(item).getRollbackChanges({ folderId: item.fId, rollbackId, skipped: true, rows: 1000 }),
  })
  return (
    <div className="dr-rollback-list">
      <Table
        label={t('rollback.kind.skipped')}
        columns={[
          { id: 'name', head: t('rollback.column.name'), text: 'clip', renderCell: (row) => row.fName },
          {
            id: 'why',
            head: t('rollback.column.change'),
            text: 'wrap',
            renderCell: (row) => (row.skipped === '' ? '' : t(`rollback.skip.${row.skipped}`)),
          },
        ]}
        rows={data?.list}
        keyOf={(row, index) => `${row.fId} ${index}`}
        loading={<Spinner />}
      />
    </div>
  )
}

interface UndoProps {
  readonly item: ItemRecord
  readonly one: Return
  readonly size?: 'small'
  readonly onUndo: (rollbackId: number) => void
}

function Undo({ item, one, size, onUndo }: UndoProps): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const undo = async (): Promise<void> => {
    const isMeant = await confirmBox({
      title: t('rollback.undoConfirm.title'),
      text: t('rollback.undoConfirm.text', { n: one.changed }),
      ok: t('rollback.undo'),
    })
    if (!isMeant) return
    setBusy(true)
    try {
      const { rollbackId } = await api.of(item).undoRollback({ folderId: item.fId, rollbackId: one.rollbackId })
      onUndo(rollbackId)
    } catch (error) {
      notifyFailure(error)
    }
    setBusy(false)
  }
  return (
    <Button {...(size !== undefined && { size })} disabled={busy} onClick={() => void undo()}>
      {t('rollback.undo')}
    </Button>
  )
}

interface HistoryProps {
  readonly item: ItemRecord
  readonly list: readonly Return[] | undefined
  readonly onUndo: (rollbackId: number) => void
}

/** The returns of the folder, newest first. */
function History({ item, list, onUndo }: HistoryProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const columns: Column<Return>[] = [
    {
      id: 'what',
      head: t('rollback.column.what'),
      renderCell: (row) =>
        row.undoOf === 0
          ? t('rollback.history.back', { time: shortTime(row.time, now, locale) })
          : t('rollback.history.undo'),
    },
    { id: 'who', head: t('rollback.column.who'), text: 'clip', renderCell: (row) => row.accountName },
    { id: 'when', head: t('rollback.column.when'), renderCell: (row) => shortTime(row.createTime, now, locale) },
    {
      id: 'state',
      head: t('rollback.column.state'),
      text: 'wrap',
      renderCell: (row) => {
        return row.state === 'failed'
          ? t('rollback.failed', {
              reason: row.problem === 0 ? t('rollback.failedUnknown') : codeText(row.problem, locale),
            })
          : [
              t('rollback.history.changed', { n: row.changed }),
              ...(row.undone ? [t('rollback.history.wasUndone')] : []),
            ].join(' · ')
      },
    },
    {
      id: 'undo',
      head: t('rollback.column.undo'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (row) =>
        row.state === 'done' && !row.undone && <Undo item={item} one={row} size="small" onUndo={onUndo} />,
    },
  ]
  return (
    <div className="dr-rollback-list">
      <Table
        label={t('rollback.tab.history')}
        columns={columns}
        rows={list}
        keyOf={(row) => row.rollbackId}
        loading={<Spinner />}
        empty={<p className="dr-rollback-note">{t('rollback.history.none')}</p>}
      />
    </div>
  )
}
