// The entries of the permission list, and the single rights of one entry.
import { closeRights, dropRight, Right, rights } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Dismiss16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { SubjectAvatar } from '../../people/index.ts'
import type { ChangeEffectAnswer } from './change-effect.tsx'
import { ExpiryField } from './expiry-field.tsx'
import type { DraftEntry } from './rights-draft.ts'
import { rightsOptions, singleRightsFor } from './rights-labels.ts'

interface Editing {
  readonly onEdit: (entry: DraftEntry, to: Partial<DraftEntry>) => void
}

interface EntriesProps extends Editing {
  readonly entries: readonly DraftEntry[]
  /** People whose own entries have no effect, with the deny entry that overrides them. */
  readonly overridden: ChangeEffectAnswer['overridden']
  readonly chosen: DraftEntry | undefined
  readonly onChoose: (entry: DraftEntry) => void
  readonly onRemove: (entry: DraftEntry) => void
}

export function Entries({ entries, overridden, chosen, onChoose, onEdit, onRemove }: EntriesProps): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  if (entries.length === 0) return <p className="dr-rights-note">{t('rights.nobody')}</p>
  const isFixed = ({ kind }: DraftEntry): boolean => kind === 'application'
  const denyOf = ({ subjectType, subjectId, rights }: DraftEntry) =>
    subjectType === 'user' && (rights & Right.deny) === 0
      ? overridden.find(({ userId }) => userId === subjectId)
      : undefined
  const columns: readonly Column<DraftEntry>[] = [
    {
      id: 'who',
      head: t('rights.column.who', { n: entries.length }),
      renderCell: (entry) => {
        const { subjectType, subjectId, subjectName, people, kind, source, approvedBy } = entry
        const deny = denyOf(entry)
        return (
          <span className="dr-rights-who">
            <SubjectAvatar type={subjectType} id={subjectId} name={subjectName} />
            <span>
              <span>{subjectName}</span>
              <small>
                {[
                  t(`rights.type.${subjectType}`),
                  subjectType !== 'user' && entry.changed === undefined && t('rights.people', { n: people }),
                  kind === 'inherited' &&
                    (source.fName === '' ? t('rights.fromAbove') : t('rights.fromFolder', { name: source.fName })),
                  approvedBy !== undefined && t('rights.approvedBy', { name: approvedBy }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
              {deny !== undefined && (
                <small className="dr-rights-overridden" role="note">
                  {t('rights.overridden', { by: deny.by })}
                </small>
              )}
            </span>
          </span>
        )
      },
    },
    {
      id: 'kind',
      head: t('rights.column.kind'),
      renderCell: (entry) => (
        <StatusChip tone={entry.changed ? 'warning' : isFixed(entry) ? 'info' : 'neutral'}>
          {t(entry.changed ? 'rights.kind.changed' : `rights.kind.${entry.kind}`)}
        </StatusChip>
      ),
    },
    {
      id: 'rights',
      head: t('rights.column.rights'),
      renderCell: (entry) => (
        <Select
          size="small"
          label={t('rights.of', { name: entry.subjectName })}
          value={entry.rights}
          options={rightsOptions(entry.rights, printRights, t)}
          disabled={isFixed(entry)}
          onChange={(mask) => onEdit(entry, { rights: mask })}
        />
      ),
    },
    {
      id: 'until',
      head: t('rights.column.until'),
      renderCell: (entry) => (
        <ExpiryField
          size="small"
          label={t('rights.untilOf', { name: entry.subjectName })}
          value={entry.expireTime}
          disabled={isFixed(entry)}
          onChange={(until) => onEdit(entry, { expireTime: until })}
        />
      ),
    },
    {
      id: 'remove',
      head: t('rights.column.remove'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (entry) =>
        !isFixed(entry) && (
          <IconButton
            size="small"
            label={t('rights.remove', { name: entry.subjectName })}
            icon={<Dismiss16Regular />}
            onClick={() => onRemove(entry)}
          />
        ),
    },
  ]
  const keyOf = ({ kind, subjectType, subjectId }: DraftEntry): string => `${kind} ${subjectType} ${subjectId}`
  return (
    <div className="dr-rights-entries">
      <Table
        columns={columns}
        rows={entries}
        keyOf={keyOf}
        nameOf={({ subjectName }) => subjectName}
        current={chosen && keyOf(chosen)}
        onOpen={onChoose}
        isTall
      />
    </div>
  )
}

/** The single rights of the selected entry. Dependent rights are shown as they apply ([R136]). */
export function EntryDetail({ entry, onEdit }: Editing & { readonly entry: DraftEntry | undefined }): ReactNode {
  const t = useT()
  const { setting } = useSession()
  const printRights = setting.print_rights
  if (entry === undefined)
    return (
      <aside className="dr-rights-side">
        <p className="dr-rights-hint">{t('rights.choose')}</p>
        <p className="dr-rights-hint">{t('rights.legend')}</p>
      </aside>
    )
  const isDenied = (entry.rights & Right.deny) !== 0
  const mask = rights(entry.rights)
  return (
    <aside className="dr-rights-side" aria-label={entry.subjectName}>
      <h3>
        <SubjectAvatar type={entry.subjectType} id={entry.subjectId} name={entry.subjectName} />
        {entry.subjectName}
      </h3>
      <div className="dr-rights-bits">
        {singleRightsFor(setting).map((name) => (
          <Checkbox
            key={name}
            label={t(`rights.right.${name}`)}
            checked={!isDenied && (entry.rights & Right[name]) !== 0}
            disabled={isDenied || entry.kind === 'application'}
            onChange={({ target }) =>
              onEdit(entry, {
                rights: target.checked
                  ? closeRights(rights(entry.rights | Right[name]), { printRights })
                  : dropRight(mask, name, { printRights }),
              })
            }
          />
        ))}
      </div>
      <p className="dr-rights-hint">{t(isDenied ? 'rights.denied' : 'rights.depends')}</p>
    </aside>
  )
}
