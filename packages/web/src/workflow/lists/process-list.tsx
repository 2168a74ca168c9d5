// The four pages of workflows ([R052], [R263]): launched, waiting, circulating and archived processes, with the focused
// one beside the list. Keys: J and K move, Enter opens, A passes, B sends back, R refuses.
import type { ProcessList, ProcessRow } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { waitingTimeLabel } from '../../approvals/index.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useCommands } from '../../core/menu/commands.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { Add16Regular, Checkmark16Filled, Flowchart16Regular, Search16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { onRowLetter } from '../../kit/row-letters.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { type Column, type RowKey, Table, TableName } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useDelayed } from '../../kit/use-delayed.ts'
import { PersonAvatar } from '../../people/index.ts'
import { passOne, passSeveral } from '../process/acts.ts'
import { StateChip } from '../shared/state-chip.tsx'
import { countQuery, listQuery, perPage, processQuery } from '../shared/workflow-queries.ts'
import { launchWorkflow } from './launch-flow.ts'
import { ProcessSide } from './process-side.tsx'
import './lists.css'

export const CreationList = (): ReactNode => <ProcessPage key="creation" list="creation" />
export const PendingList = (): ReactNode => <ProcessPage key="pending" list="pending" />
export const CirculatingList = (): ReactNode => <ProcessPage key="circulating" list="circulating" />
export const ArchivedList = (): ReactNode => <ProcessPage key="archived" list="archived" />

const dayMs = 24 * 60 * 60_000

export const openProcess = ({ processId, processName }: Pick<ProcessRow, 'processId' | 'processName'>): void =>
  void openWindow('cloudoc-workflow-detail', { processId, name: processName })

/** Opens the process that the address names, once. */
function useAsked(): void {
  const [query, setQuery] = useSearchParams()
  const id = Number(query.get('processId') ?? 0)
  const show = useEffectEvent(async () => {
    // An address names the process by its number only. If it cannot be read, the window says why.
    const found = await queryClient.query(processQuery(id)).catch(() => undefined)
    void openWindow('cloudoc-workflow-detail', { processId: id, ...(found && { name: found.processName }) })
  })
  useEffect(() => {
    if (id <= 0) return
    setQuery({}, { replace: true })
    void show()
  }, [id, setQuery])
}

function ProcessPage({ list }: { readonly list: ProcessList }): ReactNode {
  const t = useT()
  const tabsId = useId()
  const [state, setState] = useState('')
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const [at, setAt] = useState<number>()
  const [chosen, setChosen] = useState<ReadonlySet<RowKey>>(new Set())
  const keyword = typed.trim()
  const { data, error } = useQuery({
    ...listQuery({ list, state, keyword, page }),
    placeholderData: (before) => before,
  })
  const { data: counts } = useQuery(countQuery(list))
  useAsked()
  const slow = useDelayed(data === undefined)
  const rows = data?.list
  const focused = rows?.find(({ processId }) => processId === at) ?? rows?.[0]
  const columns = useColumns(list)
  const { setting, permission } = useSession()
  const level = setting.process_level
  const keepsTemplates = permission.powers.some((power) => power === 'system' || power === 'security')
  const manageTemplates = (): void => void openWindow('cloudoc-process-manager', {})
  useCommands(() =>
    keepsTemplates ? [{ id: 'workflow-templates', label: t('workflow.manage.title'), run: manageTemplates }] : [],
  )
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  const choose = (to: string): void => {
    setState(to)
    setPage(0)
  }
  const selected = (rows ?? []).filter(({ processId, mode }) => chosen.has(processId) && mode === 'decide')
  const passChosen = async (): Promise<void> => {
    const answers = await passSeveral(selected)
    setChosen(new Set(answers.filter(({ failure }) => failure !== undefined).map(({ processId }) => processId)))
    const failed = answers.filter(({ failure }) => failure !== undefined)
    const done = answers.length - failed.length
    if (done > 0) toast({ kind: 'success', text: t('workflow.done.several', { n: done }) })
    if (failed.length > 0)
      void openWindow('workflow-passed-several', {
        rows: failed.map(({ processId, processName, failure = '' }) => ({ processId, processName, failure })),
      })
  }
  return (
    <ListPage
      title={t(`workflow.list.${list}`)}
      note={t(`workflow.list.${list}.note`)}
      tools={
        <>
          <span className="k-input wl-search">
            <Search16Regular />
            <input
              aria-label={t('workflow.search')}
              placeholder={t('workflow.search')}
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                setPage(0)
              }}
            />
          </span>
          {keepsTemplates && (
            <Button icon={<Flowchart16Regular />} onClick={manageTemplates}>
              {t('workflow.manage.title')}
            </Button>
          )}
          {level >= 2 && (
            <Button icon={<Add16Regular />} onClick={() => void launchWorkflow([])}>
              {t('workflow.launch')}
            </Button>
          )}
        </>
      }
      tabs={
        <Tabs
          id={tabsId}
          label={t('workflow.states')}
          tabs={[
            { tab: '', text: t('workflow.all'), count: counts?.total },
            ...(counts?.states ?? []).map((one) => ({
              tab: one.state,
              text: one.name === '' ? t(`workflow.tab.${one.state}` as 'workflow.tab.draft') : one.name,
              count: one.count,
            })),
          ]}
          chosen={state}
          onChoose={choose}
        />
      }
      foot={
        <>
          <span>
            {selected.length > 0 ? (
              <Button kind="primary" size="small" icon={<Checkmark16Filled />} onClick={() => void passChosen()}>
                {t('workflow.passSeveral', { n: selected.length })}
              </Button>
            ) : (
              t(list === 'pending' ? 'workflow.keys.pending' : 'workflow.keys')
            )}
          </span>
          {pages > 1 ? (
            <PagePager
              page={page}
              pages={pages}
              onPage={setPage}
              previousLabel={t('workflow.before')}
              nextLabel={t('workflow.after')}
            />
          ) : (
            <span>{t('workflow.total', { n: data?.total ?? 0 })}</span>
          )}
        </>
      }
      side={focused && <ProcessSide key={focused.processId} process={focused} />}
    >
      <TabPanel id={tabsId} chosen={state} className="wl-panel">
        <Table
          label={t(`workflow.list.${list}`)}
          columns={columns}
          rows={rows}
          keyOf={({ processId }) => processId}
          nameOf={({ processName }) => processName}
          isTall
          {...(list === 'pending' && {
            selection: { chosen, onChange: setChosen, allLabel: t('workflow.chooseAll') },
          })}
          current={focused?.processId}
          onCurrent={({ processId }) => setAt(processId)}
          onOpen={openProcess}
          opensByDoubleClick
          onRowKey={(row, event) => onRowKey(row, event)}
          loading={slow ? <Spinner label={t('workflow.loading')} /> : undefined}
          failure={error && <StatePage title={t('workflow.notLoaded')} text={error.message} />}
          empty={
            <StatePage
              title={t(keyword === '' ? `workflow.none.${list}` : 'workflow.none.found')}
              text={t(keyword === '' ? `workflow.none.${list}.more` : 'workflow.none.found.more')}
            />
          }
        />
      </TabPanel>
    </ListPage>
  )
}

/** A passes, B and R open the window in which it is sent back or refused. */
function onRowKey(row: ProcessRow, event: KeyboardEvent): boolean {
  const open = (): void => openProcess(row)
  return onRowLetter(event, row.mode === 'decide' ? { a: () => void passOne(row, ''), b: open, r: open } : {})
}

function useColumns(list: ProcessList): readonly Column<ProcessRow>[] {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  return [
    {
      id: 'name',
      head: t('workflow.column.name'),
      text: 'clip',
      width: '42%',
      renderCell: (row) => (
        <TableName
          icon={<FileIcon ext={row.extName} size={22} />}
          below={`${row.templateName} · ${row.processNumber}`}
          title={row.processName}
        >
          {row.processName}
        </TableName>
      ),
    },
    {
      id: 'launcher',
      head: t('workflow.column.launcher'),
      isHiddenOnPhone: true,
      renderCell: (row) => (
        <span className="wl-person">
          <PersonAvatar id={row.launcherId} name={row.launcherName} />
          {row.launcherName}
        </span>
      ),
    },
    {
      id: 'state',
      head: t('workflow.column.state'),
      renderCell: (row) => (
        <span className="wl-state">
          <StateChip process={row} />
          <small title={nowText(t, row, now)}>{nowText(t, row, now)}</small>
        </span>
      ),
    },
    {
      id: 'time',
      head: t(list === 'archived' ? 'workflow.column.ended' : 'workflow.column.time'),
      renderCell: (row) => (
        <span className={list === 'pending' && now - row.arriveTime > dayMs ? 'wl-late' : undefined}>
          {shortTime(list === 'archived' ? (row.endTime ?? row.createTime) : row.arriveTime, now, locale)}
        </span>
      ),
    },
    ...(list === 'pending'
      ? [
          {
            id: 'act',
            head: t('workflow.column.act'),
            isHeadHidden: true,
            align: 'end' as const,
            isHiddenOnPhone: true,
            renderCell: (row: ProcessRow) =>
              row.mode === 'decide' ? (
                <Button size="small" onClick={() => void passOne(row, '')}>
                  {t('workflow.act.pass')}
                </Button>
              ) : null,
          },
        ]
      : []),
  ]
}

/** What happens now with a process. */
function nowText(t: ReturnType<typeof useT>, row: ProcessRow, now: number): string {
  const { state, isAwaited, nodeName, waitsFor, arriveTime } = row
  if (isAwaited) return t('workflow.now.you', { node: nodeName, time: waitingTimeLabel(t, arriveTime, now) })
  if (state === 'running' || state === 'back') {
    const [first] = waitsFor
    if (first === undefined) return nodeName
    return waitsFor.length === 1
      ? t('workflow.now.one', { node: nodeName, name: first.accountName })
      : t('workflow.now.many', { node: nodeName, name: first.accountName, n: waitsFor.length })
  }
  return row.fName
}
