// The permission window of an item (1030x622, [R075], [R208], [R209]).

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { AccessList } from './access-list.tsx'
import { AddEntry } from './add-entry.tsx'
import { BulkRights } from './bulk-rights.tsx'
import { ChangeEffect, type ChangeEffectAnswer } from './change-effect.tsx'
import { Entries, EntryDetail } from './entries.tsx'
import {
  changesOf,
  confirmationThreshold,
  type DraftEntry,
  deniesSeveral,
  listOf,
  type ManagedItem,
  type RightsDraft,
  refOf,
  withEntry,
  withoutEntry,
  withoutInheritance,
} from './rights-draft.ts'
import { RightsHistory } from './rights-history.tsx'
import './rights.css'

export interface PermissionWindowProps {
  readonly item: ManagedItem
  /** All selected items, including the item. */
  readonly items?: readonly ManagedItem[]
}

type Tab = 'list' | 'effect' | 'access' | 'history'

export function PermissionWindow({
  item,
  items,
  close,
  setDirty,
}: WindowProps<PermissionWindowProps, boolean>): ReactNode {
  return items !== undefined && items.length > 1 ? (
    <BulkRights items={items} close={close} setDirty={setDirty} />
  ) : (
    <One item={item} close={close} setDirty={setDirty} />
  )
}

interface OneProps {
  readonly item: ManagedItem
  readonly close: (result?: boolean) => void
  readonly setDirty: (dirty: boolean) => void
}

function One({ item, close, setDirty }: OneProps): ReactNode {
  const ref = refOf(item)
  const { data, error, refetch } = useQuery({
    queryKey: ['drive', 'rights', keyOf(item)],
    queryFn: () => api.of(item).getShareList(ref, { quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })
  const t = useT()
  if (error !== null) return <p className="dr-rights-note">{error.message}</p>
  if (data === undefined) return <p className="dr-rights-note">{t('rights.loading')}</p>
  return (
    <Editor
      key={JSON.stringify(data)}
      item={item}
      before={data}
      close={close}
      setDirty={setDirty}
      onUndone={() => void refetch()}
    />
  )
}

interface EditorProps extends OneProps {
  readonly before: RightsDraft
  readonly onUndone: () => void
}

function Editor({ item, before, close, setDirty, onUndone }: EditorProps): ReactNode {
  const t = useT()
  const ref = refOf(item)
  const printRights = useSession().setting.print_rights
  const [draft, setDraft] = useState(before)
  const [at, setAt] = useState<string>()
  const id = useId()
  const [tab, setTab] = useState<Tab>('list')
  const [known, setKnown] = useState(false)
  const [saving, setSaving] = useState(false)
  const changes = changesOf(before, draft)
  const effect = useQuery({
    queryKey: ['drive', 'rights', 'effect', keyOf(item), listOf(draft)],
    queryFn: () => api.of(item).previewShareList({ ...ref, ...listOf(draft) }, { quiet: true }),
    // A deny entry for several people may override an own entry of one of them. This is shown for saved entries too.
    enabled: changes > 0 || draft.entries.some(deniesSeveral),
    staleTime: 0,
  })

  const change = (next: RightsDraft): void => {
    setDraft(next)
    setKnown(false)
    setDirty(changesOf(before, next) > 0)
  }
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      const told: ChangeEffectAnswer = await api
        .of(item)
        .previewShareList({ ...ref, ...listOf(draft) }, { quiet: true })
      // The user must see who loses rights before the change is saved.
      if (told.loses > 0 && tab !== 'effect') {
        setTab('effect')
        setSaving(false)
        return
      }
      await api.of(item).setShareList({ ...ref, ...listOf(draft) }, { texts: { badRequest: t('rights.keepMyself') } })
      close(true)
    } catch (failure) {
      notifyFailure(failure)
      setSaving(false)
    }
  }
  const mustKnow = tab === 'effect' && (effect.data?.hidden ?? 0) > confirmationThreshold
  const tabs: readonly Tab[] = ['list', 'effect', 'access', 'history']
  return (
    <div className="dr-rights">
      <Tabs
        id={id}
        className="dr-rights-tabs"
        label={t('rights.title')}
        tabs={tabs.map((one) => ({
          tab: one,
          text: (
            <>
              {t(`rights.tab.${one}`)}
              {one === 'effect' && changes > 0 && (
                <StatusChip tone="warning">{t('rights.changes', { n: changes })}</StatusChip>
              )}
            </>
          ),
        }))}
        chosen={tab}
        onChoose={setTab}
      />
      <TabPanel id={id} chosen={tab} className="dr-rights-body">
        {tab === 'list' && (
          <ListTab
            item={item}
            draft={draft}
            overridden={effect.data?.overridden ?? []}
            at={at}
            onAt={setAt}
            onDraft={change}
          />
        )}
        {tab === 'effect' && <ChangeEffect changes={changes} effect={effect.data} problem={effect.error?.message} />}
        {tab === 'access' && <AccessList item={item} printRights={printRights} />}
        {tab === 'history' && <RightsHistory item={item} dirty={changes > 0} onUndone={onUndone} />}
      </TabPanel>
      <DialogFooter>
        {mustKnow ? (
          <Checkbox
            label={t('rights.known', { n: effect.data?.hidden ?? 0 })}
            checked={known}
            onChange={({ target }) => setKnown(target.checked)}
          />
        ) : (
          item.fType === 2 && (
            <Checkbox
              label={t('rights.restricted')}
              checked={draft.restricted}
              onChange={({ target }) => change({ ...draft, restricted: target.checked })}
            />
          )
        )}
        <span className="dr-rights-sum">
          {changes > 0 &&
            effect.data !== undefined &&
            t('rights.unsaved', { n: changes, people: effect.data.gains + effect.data.loses })}
        </span>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={changes === 0 || saving || (mustKnow && !known)} onClick={() => void save()}>
          {t('rights.save')}
        </Button>
      </DialogFooter>
    </div>
  )
}

interface ListTabProps {
  readonly item: ManagedItem
  readonly draft: RightsDraft
  readonly overridden: ChangeEffectAnswer['overridden']
  /** The entry whose details are shown. */
  readonly at: string | undefined
  readonly onAt: (at: string) => void
  readonly onDraft: (draft: RightsDraft) => void
}

/** The entries of the item, and the details of one of them. */
function ListTab({ item, draft, overridden, at, onAt, onDraft }: ListTabProps): ReactNode {
  const t = useT()
  const chosen = draft.entries.find((entry) => `${entry.kind} ${entry.subjectType} ${entry.subjectId}` === at)
  const edit = async (entry: DraftEntry, to: Partial<DraftEntry>): Promise<void> => {
    const sure =
      entry.kind !== 'inherited' ||
      (await confirmBox({
        text: t('rights.ask.independent', { name: entry.subjectName }),
        detail: t('rights.ask.independentMore'),
        ok: t('rights.ask.independentOk'),
      }))
    if (!sure) return
    onDraft(withEntry(draft, { ...entry, ...to }))
    onAt(`independent ${entry.subjectType} ${entry.subjectId}`)
  }
  const remove = async (entry: DraftEntry): Promise<void> => {
    const sure =
      entry.kind !== 'inherited' ||
      (await confirmBox({
        text: t('rights.ask.close', { name: entry.subjectName }),
        detail: t('rights.ask.closeMore'),
        ok: t('rights.ask.closeOk'),
        danger: true,
      }))
    if (sure) onDraft(withoutEntry(draft, entry))
  }
  return (
    <>
      <div className="dr-rights-main">
        <p className="dr-rights-lead">
          <span>
            {t(draft.inherit ? 'rights.inherits' : 'rights.inheritsNot', {
              n: draft.entries.filter(({ kind }) => kind === 'inherited').length,
              own: draft.entries.filter(({ kind }) => kind !== 'inherited').length,
            })}
          </span>
          <Button
            kind="link"
            size="small"
            onClick={() => onDraft(draft.inherit ? withoutInheritance(draft) : { ...draft, inherit: true })}
          >
            {t(draft.inherit ? 'rights.stop' : 'rights.goOn')}
          </Button>
        </p>
        <AddEntry
          secretLevel={item.secretLevel ?? 0}
          onAdd={(subjects, mask, expireTime) =>
            onDraft(
              subjects.reduce(
                (next, { type, id, name }) =>
                  withEntry(next, {
                    subjectType: type,
                    subjectId: id,
                    subjectName: name,
                    rights: mask,
                    expireTime,
                    people: 1,
                    kind: 'independent',
                    source: { folderId: item.fId, fName: item.fName },
                  }),
                draft,
              ),
            )
          }
        />
        <Entries
          entries={draft.entries}
          overridden={overridden}
          chosen={chosen}
          onChoose={(entry) => onAt(`${entry.kind} ${entry.subjectType} ${entry.subjectId}`)}
          onEdit={(entry, to) => void edit(entry, to)}
          onRemove={(entry) => void remove(entry)}
        />
      </div>
      <EntryDetail entry={chosen} onEdit={(entry, to) => void edit(entry, to)} />
    </>
  )
}
