// The details of one library next to the table: its members, its limits and retention, its permissions. Unsaved changes
// are marked, and a warning is shown before they are lost.
import { rightsGroup } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { ByteLimitField, UsageBar, usageTone } from '../../admin/shared/usage-parts.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Dismiss20Regular, Warning16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { useDraft } from '../../kit/use-draft.ts'
import { Field, Input } from '../../organisation/index.ts'
import { type Subject, SubjectField, subjectKey } from '../../people/index.ts'
import { type LibraryChange, type LibraryInfo, refetchCompany } from './library-queries.ts'
import './texts.ts'

type Entry = LibraryInfo['entries'][number]

/** The initial values of the fields. */
const draftOf = (library: LibraryInfo) => ({
  name: library.name,
  owner: library.ownerId === 0 ? [] : [{ type: 'user' as const, id: library.ownerId, name: library.ownerName }],
  managers: library.managers.map(({ userId, accountName }) => ({
    type: 'user' as const,
    id: userId,
    name: accountName,
  })),
  quota: library.quota as number | undefined,
  keptVersions: library.keptVersions,
  keptDays: library.keptDays,
  binDays: library.binDays,
  readOnly: library.readOnly,
  entries: library.entries,
})
type Draft = Omit<ReturnType<typeof draftOf>, 'owner' | 'managers'> & {
  readonly owner: readonly Subject[]
  readonly managers: readonly Subject[]
}

/** The fields in the form the call takes. */
const inputOf = (draft: Draft) => ({
  name: draft.name.trim(),
  ownerId: draft.owner[0]?.id ?? 0,
  managerIds: draft.managers.map(({ id }) => id).toSorted((a, b) => a - b),
  quota: draft.quota,
  keptVersions: draft.keptVersions,
  keptDays: draft.keptDays,
  binDays: draft.binDays,
  readOnly: draft.readOnly,
  entries: draft.entries.map(({ subjectType, subjectId, rights }) => ({ subjectType, subjectId, rights })),
})

export function LibraryDrawer({ library, onClose }: { library: LibraryInfo; onClose: () => void }): ReactNode {
  const t = useT()
  const { version_count, version_days } = useSession().serverSetting
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const before: Draft = draftOf(library)
  const { values: draft, changes, revision, edit, discard, settle } = useDraft(before, inputOf)
  const count = Object.keys(changes).length
  const isWrong = draft.quota === undefined || draft.name.trim() === ''
  const set = (part: Partial<Draft>): void => {
    edit(part)
    setProblem('')
  }
  const change = async (given: LibraryChange, said: string): Promise<boolean> => {
    setBusy(true)
    try {
      await api.changeLibrary({ libraryId: library.libraryId, ...given })
      await refetchCompany()
      toast({ kind: 'success', text: said })
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.code === 'alreadyExists' ? t('company.library.taken') : error.message)
      return false
    } finally {
      setBusy(false)
    }
  }
  const save = async (): Promise<void> => {
    const keeps = (of: Draft) => [of.keptVersions ?? version_count, of.keptDays ?? version_days]
    const now = keeps(before)
    const isLess = keeps(draft).some((after, n) => after > 0 && (now[n] === 0 || after < (now[n] ?? 0)))
    const sure =
      !isLess ||
      (await confirmBox({
        title: t('company.library.thinTitle', { name: draft.name }),
        text: t('company.library.thinText'),
        ok: t('company.library.thin'),
        danger: true,
      }))
    if (!sure) return
    const { quota, ...others } = changes
    const given = quota === undefined ? others : { ...others, quota }
    if (await change(given, t('company.library.saved', { name: draft.name }))) settle(draft)
  }
  const leave = async (): Promise<void> => {
    const question = {
      title: t('box.discard.title'),
      text: t('box.discard.text'),
      ok: t('box.discard.ok'),
      danger: true,
    }
    if (count === 0 || (await confirmBox(question))) onClose()
  }
  const close = async (): Promise<void> => {
    const isClosed = library.closeTime > 0
    const sure =
      isClosed ||
      (await confirmBox({
        title: t('company.library.closeTitle', { name: library.name }),
        text: t('company.library.closeText'),
        ok: t('company.library.close'),
        danger: true,
      }))
    if (sure)
      await change({ closed: !isClosed }, t(isClosed ? 'company.library.opened' : 'company.library.closed', library))
  }
  const isPersonal = library.kind === 'personal'
  const tone = usageTone(library.used, library.quota, 90)
  return (
    <aside
      className="or-drawer"
      aria-label={library.name}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) void leave()
      }}
    >
      <header className="or-drawer-head">
        <div>
          <b title={library.name}>{library.name}</b>
          <small>
            {t(`company.kind.${library.kind}`)}
            {library.groupName !== '' && ` · ${library.groupName}`}
          </small>
        </div>
        <IconButton label={t('company.close')} icon={<Dismiss20Regular />} onClick={() => void leave()} />
      </header>
      <div className="or-drawer-body">
        {tone !== 'well' && (
          <div className="co-notice">
            <Warning16Regular className="is-warn" />
            <p>{t(tone === 'full' ? 'company.library.isFull' : 'company.library.isNear')}</p>
          </div>
        )}
        <LibraryFields library={library} draft={draft} revision={revision} set={set} />
        {problem !== '' && (
          <p className="k-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <footer className="or-drawer-foot">
        {count === 0 ? (
          !isPersonal && (
            <Button
              {...(library.closeTime > 0 ? {} : { kind: 'danger' as const })}
              disabled={busy}
              onClick={() => void close()}
            >
              {t(library.closeTime > 0 ? 'company.library.open' : 'company.library.close')}
            </Button>
          )
        ) : (
          <>
            <span className="or-grow">{t('company.unsaved', { n: count })}</span>
            <Button onClick={discard}>{t('company.discard')}</Button>
            <Button kind="primary" disabled={busy || isWrong} onClick={() => void save()}>
              {t('company.save')}
            </Button>
          </>
        )}
      </footer>
    </aside>
  )
}

interface FieldsProps {
  readonly library: LibraryInfo
  readonly draft: Draft
  /** Changes when the fields are reset. */
  readonly revision: number
  readonly set: (part: Partial<Draft>) => void
}

function LibraryFields({ library, draft, revision, set }: FieldsProps): ReactNode {
  const t = useT()
  const isPersonal = library.kind === 'personal'
  return (
    <div className="or-form">
      {!isPersonal && (
        <>
          <Field label={t('company.column.name')}>
            <Input
              label={t('company.column.name')}
              value={draft.name}
              maxLength={200}
              onChange={({ target }) => set({ name: target.value })}
            />
          </Field>
          <Field label={t('company.column.owner')}>
            <SubjectField
              label={t('company.column.owner')}
              types="user"
              chosen={draft.owner}
              onChange={(chosen) => set({ owner: chosen.slice(-1) })}
            />
          </Field>
        </>
      )}
      <Field label={t('company.managers')} help={t('company.managersHelp')}>
        <SubjectField
          label={t('company.managers')}
          types="user"
          chosen={draft.managers}
          onChange={(managers) => set({ managers })}
        />
      </Field>
      <Field
        label={t('company.quota')}
        help={<UsageBar used={library.used} total={library.quota} label={t('company.quota')} />}
      >
        <ByteLimitField
          key={revision}
          label={t('company.quota')}
          value={library.quota}
          onChange={(quota) => set({ quota })}
        />
      </Field>
      <RetentionField
        label={t('company.column.versions')}
        help={t('company.versionsHelp')}
        value={draft.keptVersions}
        none={t('company.allVersions')}
        usual={20}
        onChange={(keptVersions) => set({ keptVersions })}
      />
      <RetentionField
        label={t('company.versionDays')}
        help={t('company.versionDaysHelp')}
        value={draft.keptDays}
        none={t('company.forever')}
        usual={365}
        onChange={(keptDays) => set({ keptDays })}
      />
      <RetentionField
        label={t('company.column.bin')}
        help={t('company.binHelp')}
        value={draft.binDays}
        none={t('company.forever')}
        usual={30}
        onChange={(binDays) => set({ binDays })}
      />
      {!isPersonal && <Entries entries={draft.entries} onChange={(entries) => set({ entries })} />}
      <Field label={t('company.state.readOnly')} help={t('company.readOnlyHelp')}>
        <Switch label={t('company.state.readOnly')} on={draft.readOnly} onChange={(readOnly) => set({ readOnly })} />
      </Field>
    </div>
  )
}

/** Retention of versions or deleted items: the server default, unlimited, or a number of its own. */
export function RetentionField(props: {
  readonly label: string
  readonly help: string
  readonly value: number | null
  readonly none: string
  readonly usual: number
  readonly onChange: (value: number | null) => void
}): ReactNode {
  const t = useT()
  const { label, value, none, usual, onChange } = props
  return (
    <Field label={label} help={props.help}>
      <div className="or-line">
        <Select
          label={label}
          value={value === null ? 'usual' : value === 0 ? 'none' : 'own'}
          options={[
            { value: 'usual', label: t('company.usual') },
            { value: 'none', label: none },
            { value: 'own', label: t('company.own') },
          ]}
          onChange={(kind) => onChange(kind === 'usual' ? null : kind === 'none' ? 0 : usual)}
        />
        {value !== null && value !== 0 && (
          <Input
            label={label}
            type="number"
            min={1}
            max={3650}
            value={value}
            onChange={({ target }) => onChange(Math.min(3650, Math.max(1, Math.round(Number(target.value)))))}
          />
        )}
      </div>
    </Field>
  )
}

const groups = ['invisible', 'preview', 'download', 'edit', 'full'] as const

/** The permission entries on the library itself, which apply to everything in it. */
export function Entries(props: {
  readonly entries: readonly Entry[]
  readonly onChange: (entries: Entry[]) => void
}): ReactNode {
  const t = useT()
  const { entries, onChange } = props
  const subjects: readonly Subject[] = entries.map(({ subjectType, subjectId, subjectName }) => ({
    type: subjectType,
    id: subjectId,
    name: subjectName,
  }))
  const choose = (chosen: readonly Subject[]): void => {
    const known = new Map(entries.map((entry) => [`${entry.subjectType}:${entry.subjectId}`, entry]))
    onChange(
      chosen.map(
        (subject) =>
          known.get(subjectKey(subject)) ?? {
            subjectType: subject.type,
            subjectId: subject.id,
            subjectName: subject.name,
            rights: rightsGroup.edit,
          },
      ),
    )
  }
  return (
    <Field label={t('company.entries')} help={t('company.entriesHelp')}>
      <SubjectField label={t('company.entries')} chosen={subjects} onChange={choose} />
      <ul className="co-lines">
        {entries.map((entry, n) => (
          <li key={`${entry.subjectType}:${entry.subjectId}`}>
            <span>{entry.subjectName}</span>
            <Select
              label={t('company.mayDo', { name: entry.subjectName })}
              size="small"
              value={String(entry.rights)}
              options={[
                ...groups.map((group) => ({ value: String(rightsGroup[group]), label: t(`company.rights.${group}`) })),
                ...(groups.some((group) => rightsGroup[group] === entry.rights)
                  ? []
                  : [{ value: String(entry.rights), label: t('company.rights.custom') }]),
              ]}
              onChange={(rights) => onChange(entries.with(n, { ...entry, rights: Number(rights) }))}
            />
          </li>
        ))}
      </ul>
    </Field>
  )
}
