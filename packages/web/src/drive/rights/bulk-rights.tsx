// The permission window for several items ([R208]), with a result for each item.
import { codes } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Dismiss16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { SubjectAvatar } from '../../people/index.ts'
import { AddEntry } from './add-entry.tsx'
import { applyChanges, type BulkChange, type BulkRow, bulkRows, subjectKey } from './bulk-draft.ts'
import { ExpiryField } from './expiry-field.tsx'
import { changesOf, confirmationThreshold, listOf, type ManagedItem, type RightsDraft, refOf } from './rights-draft.ts'
import { rightsOptions } from './rights-labels.ts'
import { offerUndoChanges } from './undo-rights-changes.ts'

interface BulkRightsProps {
  readonly items: readonly ManagedItem[]
  readonly close: (result?: boolean) => void
  readonly setDirty: (dirty: boolean) => void
}

/** The maximum number of concurrent calls. */
const atOnce = 4

/** Calls the server for each item with limited concurrency. A refusal is returned as the result of its item. */
async function forEach<I, A>(items: readonly I[], ask: (item: I) => Promise<A>): Promise<(A | Error)[]> {
  const answers: (A | Error)[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item === undefined) continue
      answers[at] = await ask(item).catch((error: unknown) => {
        if (error instanceof CallError) return error
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return answers
}

const keyOf = ({ fType, fId }: ManagedItem): string => `${fType} ${fId}`

export function BulkRights({ items, close, setDirty }: BulkRightsProps): ReactNode {
  const t = useT()
  const lists = useQuery({
    queryKey: ['drive', 'rights', 'several', items.map(keyOf)],
    queryFn: () => forEach(items, (item) => api.of(item).getShareList(refOf(item), { quiet: true })),
    staleTime: 0,
    gcTime: 0,
  })
  const found = lists.data?.flatMap((list, at) => {
    const item = items[at]
    return list instanceof Error || item === undefined ? [] : [{ item, before: list }]
  })
  if (lists.error !== null) return <p className="dr-rights-note">{lists.error.message}</p>
  if (found === undefined) return <p className="dr-rights-note">{t('rights.loading')}</p>
  const unread = items.filter((_, at) => lists.data?.[at] instanceof Error)
  return <Lists found={found} unread={unread} close={close} setDirty={setDirty} />
}

interface ListsProps extends Omit<BulkRightsProps, 'items'> {
  readonly found: readonly { readonly item: ManagedItem; readonly before: RightsDraft }[]
  /** Items whose lists the server does not return. */
  readonly unread: readonly ManagedItem[]
}

function Lists({ found, unread, close, setDirty }: ListsProps): ReactNode {
  const t = useT()
  const [deeds, setDeeds] = useState<readonly BulkChange[]>([])
  const id = useId()
  const [tab, setTab] = useState<'list' | 'effect'>('list')
  const [known, setKnown] = useState(false)
  const [saving, setSaving] = useState(false)
  /** The saved items, and the errors of the others. */
  const [answers, setAnswers] = useState<ReadonlyMap<string, string | undefined>>(new Map())
  const items = found.map(({ item }) => item)
  const drafts = found.map(({ before }) => applyChanges(before, deeds))
  const changed = found.flatMap(({ item, before }, at) => {
    const draft = drafts[at]
    const isSaved = answers.has(keyOf(item)) && answers.get(keyOf(item)) === undefined
    return draft === undefined || isSaved || changesOf(before, draft) === 0 ? [] : [{ item, list: listOf(draft) }]
  })
  const preview = async () => {
    const told = await forEach(changed, ({ item, list }) =>
      api.of(item).previewShareList({ ...refOf(item), ...list }, { quiet: true }),
    )
    return new Map(changed.map(({ item }, at) => [keyOf(item), told[at]]))
  }
  const effect = useQuery({
    queryKey: ['drive', 'rights', 'several', 'effect', changed],
    queryFn: preview,
    enabled: tab === 'effect' && changed.length > 0,
    staleTime: 0,
  })
  const told = [...(effect.data?.values() ?? [])].flatMap((one) =>
    one === undefined || one instanceof Error ? [] : one,
  )
  const hidden = Math.max(0, ...told.map((one) => one.hidden))
  const mustKnow = tab === 'effect' && hidden > confirmationThreshold
  const redo = (next: readonly BulkChange[]): void => {
    setDeeds(next)
    setKnown(false)
    setAnswers(new Map())
    setDirty(next.length > 0)
  }
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      const seen = [...(await preview()).values()]
      // The user must see who loses rights before the change is saved.
      if (tab !== 'effect' && seen.some((one) => one !== undefined && !(one instanceof Error) && one.loses > 0)) {
        setTab('effect')
        return
      }
      const saved = await api.setShareLists({ lists: changed.map(({ item, list }) => ({ ...refOf(item), ...list })) })
      const isDone = ({ result }: { result: number }): boolean => result === codes.success.code
      const refused = saved.filter((one) => !isDone(one)).length
      const made = saved.flatMap(({ changeId }, at) => {
        const item = changed[at]?.item
        return changeId === undefined || item === undefined ? [] : [{ item, changeId }]
      })
      if (refused < saved.length) offerUndoChanges(t('rights.many.saved', { n: saved.length - refused }), made)
      if (refused === 0) {
        close(true)
        return
      }
      const one = new Map(answers)
      for (const [at, answer] of saved.entries()) {
        const item = changed[at]?.item
        // The only possible error of a list itself: its author would lose the right to change it.
        const text = answer.result === codes.badRequest.code ? t('rights.keepMyself') : answer.msg
        if (item !== undefined) one.set(keyOf(item), isDone(answer) ? undefined : text)
      }
      setAnswers(one)
      setTab('effect')
    } catch (failure) {
      notifyFailure(failure)
    } finally {
      setSaving(false)
    }
  }
  return (
    <div className="dr-rights">
      <Tabs
        id={id}
        className="dr-rights-tabs"
        label={t('rights.title')}
        tabs={(['list', 'effect'] as const).map((one) => ({
          tab: one,
          text: (
            <>
              {t(`rights.tab.${one}`)}
              {one === 'effect' && changed.length > 0 && (
                <StatusChip tone="warning">{t('rights.many.changes', { n: changed.length })}</StatusChip>
              )}
            </>
          ),
        }))}
        chosen={tab}
        onChoose={setTab}
      />
      <TabPanel id={id} chosen={tab} className="dr-rights-body">
        <div className="dr-rights-main">
          {tab === 'list' ? (
            <Subjects drafts={drafts} items={items} unread={unread} deeds={deeds} onDeeds={redo} />
          ) : (
            <Effects items={items} changed={changed} effect={effect.data} answers={answers} hidden={hidden} />
          )}
        </div>
      </TabPanel>
      <DialogFooter>
        {mustKnow && (
          <Checkbox
            label={t('rights.known', { n: hidden })}
            checked={known}
            onChange={({ target }) => setKnown(target.checked)}
          />
        )}
        <span className="dr-rights-sum" />
        <Button onClick={() => close(answers.size > 0 ? true : undefined)}>{t('drive.cancel')}</Button>
        <Button
          kind="primary"
          disabled={changed.length === 0 || saving || (tab === 'effect' && effect.isFetching) || (mustKnow && !known)}
          onClick={() => void save()}
        >
          {t('rights.save')}
        </Button>
      </DialogFooter>
    </div>
  )
}

interface SubjectsProps {
  readonly drafts: readonly RightsDraft[]
  readonly items: readonly ManagedItem[]
  readonly unread: readonly ManagedItem[]
  readonly deeds: readonly BulkChange[]
  readonly onDeeds: (deeds: readonly BulkChange[]) => void
}

/** Who has rights on the items, and which. */
function Subjects({ drafts, items, unread, deeds, onDeeds }: SubjectsProps): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  const give = (
    row: Pick<BulkRow, 'subjectType' | 'subjectId' | 'subjectName'>,
    mask: number,
    until: number | null,
  ): void => {
    const { subjectType, subjectId, subjectName } = row
    onDeeds([...deeds, { give: { subjectType, subjectId, subjectName, rights: mask, expireTime: until } }])
  }
  const take = async (row: BulkRow): Promise<void> => {
    const sure =
      row.inherited === 0 ||
      (await confirmBox({
        text: t('rights.ask.close', { name: row.subjectName }),
        detail: t('rights.many.askClose', { n: row.inherited }),
        ok: t('rights.ask.closeOk'),
        danger: true,
      }))
    if (sure) onDeeds([...deeds, { take: row }])
  }
  const rows = bulkRows(drafts)
  const touched = new Set(deeds.map((deed) => subjectKey('give' in deed ? deed.give : deed.take)))
  const columns: readonly Column<BulkRow>[] = [
    {
      id: 'who',
      head: t('rights.column.who', { n: rows.length }),
      renderCell: ({ subjectType, subjectId, subjectName }) => (
        <TableName
          icon={<SubjectAvatar type={subjectType} id={subjectId} name={subjectName} />}
          note={t(`rights.type.${subjectType}`)}
        >
          {subjectName}
        </TableName>
      ),
    },
    {
      id: 'on',
      head: t('rights.many.on'),
      renderCell: (row) => (
        <StatusChip tone={touched.has(subjectKey(row)) ? 'warning' : 'neutral'}>
          {t('rights.many.of', { n: row.on, total: items.length })}
        </StatusChip>
      ),
    },
    {
      id: 'rights',
      head: t('rights.column.rights'),
      renderCell: (row) => (
        <Select
          size="small"
          label={t('rights.of', { name: row.subjectName })}
          value={row.rights ?? -1}
          options={[
            ...(row.rights === undefined ? [{ value: -1, label: t('rights.many.various') }] : []),
            ...rightsOptions(row.rights ?? 6, printRights, t),
          ]}
          onChange={(mask) => mask !== -1 && give(row, mask, row.expireTime ?? null)}
        />
      ),
    },
    {
      id: 'until',
      head: t('rights.column.until'),
      renderCell: (row) => (
        <ExpiryField
          size="small"
          label={t('rights.untilOf', { name: row.subjectName })}
          value={row.expireTime}
          disabled={row.rights === undefined}
          onChange={(until) => row.rights !== undefined && give(row, row.rights, until)}
        />
      ),
    },
    {
      id: 'remove',
      head: t('rights.column.remove'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (row) => (
        <IconButton
          size="small"
          label={t('rights.remove', { name: row.subjectName })}
          icon={<Dismiss16Regular />}
          onClick={() => void take(row)}
        />
      ),
    },
  ]
  return (
    <>
      <p className="dr-rights-lead">
        <span>{t('rights.many.lead', { n: items.length })}</span>
        {deeds.length > 0 && (
          <Button kind="link" size="small" onClick={() => onDeeds([])}>
            {t('rights.many.reset')}
          </Button>
        )}
      </p>
      {unread.length > 0 && (
        <p className="dr-rights-lead is-danger" role="status">
          {t('rights.many.unread', { names: unread.map(({ fName }) => fName).join(t('drive.rights.and')) })}
        </p>
      )}
      <AddEntry
        secretLevel={Math.max(0, ...items.map(({ secretLevel = 0 }) => secretLevel))}
        onAdd={(subjects, mask, expireTime) =>
          onDeeds([
            ...deeds,
            ...subjects.map(({ type, id, name }) => ({
              give: { subjectType: type, subjectId: id, subjectName: name, rights: mask, expireTime },
            })),
          ])
        }
      />
      {rows.length === 0 && <p className="dr-rights-note">{t('rights.nobody')}</p>}
      {rows.length > 0 && (
        <div className="dr-rights-entries">
          <Table columns={columns} rows={rows} keyOf={subjectKey} />
        </div>
      )}
    </>
  )
}

type Effect = Awaited<ReturnType<ReturnType<typeof api.of>['previewShareList']>> | Error | undefined

interface EffectsProps {
  readonly items: readonly ManagedItem[]
  readonly changed: readonly { readonly item: ManagedItem }[]
  readonly effect: ReadonlyMap<string, Effect> | undefined
  readonly answers: ReadonlyMap<string, string | undefined>
  /** How many people lose the rights. */
  readonly hidden: number
}

/** What the changes do to each item. */
function Effects({ items, changed, effect, answers, hidden }: EffectsProps): ReactNode {
  const t = useT()
  /** The effect on an item: the answer to its change, what its change would do, or why there is none. */
  const resultOf = (item: ManagedItem): string => {
    const one = effect?.get(keyOf(item))
    const refusal = refusalOf(item)
    if (refusal !== undefined) return refusal
    if (answers.has(keyOf(item))) return t('rights.many.done')
    if (one !== undefined && !(one instanceof Error)) return t('rights.effect.counts', one)
    return t(changed.some((each) => each.item === item) ? 'rights.loading' : 'rights.many.same')
  }
  const refusalOf = (item: ManagedItem): string | undefined => {
    const one = effect?.get(keyOf(item))
    return answers.get(keyOf(item)) ?? (one instanceof Error ? one.message : undefined)
  }
  const results: readonly Column<ManagedItem>[] = [
    { id: 'item', head: t('rights.many.item'), text: 'wrap', renderCell: ({ fName }) => fName },
    {
      id: 'effect',
      head: t('rights.many.effect'),
      text: 'wrap',
      className: (item) => (refusalOf(item) === undefined ? undefined : 'is-danger'),
      renderCell: resultOf,
    },
  ]
  return (
    <>
      <p className={`dr-rights-lead${hidden > 0 ? ' is-danger' : ''}`} role="status">
        {changed.length === 0 && answers.size === 0
          ? t('rights.effect.none')
          : hidden > 0
            ? t('rights.many.hidden', { n: hidden })
            : t('rights.effect.lead')}
      </p>
      <div className="dr-rights-entries">
        <Table columns={results} rows={items} keyOf={keyOf} />
      </div>
    </>
  )
}
