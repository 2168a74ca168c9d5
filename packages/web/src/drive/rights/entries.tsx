// The entries of the permission list, and the single rights of one entry.
import { closeRights, dropRight, Right, rights } from '@cloudoc/domain'
import { Dismiss16Regular } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { IconButton } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { SubjectAvatar } from '../../people/index.ts'
import type { ChangeEffectAnswer } from './change-effect.tsx'
import { ExpiryField } from './expiry-field.tsx'
import type { DraftEntry } from './rights-draft.ts'
import { rightsOptions, singleRights } from './rights-labels.ts'

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
  return (
    <div className="dr-rights-entries">
      <table>
        <thead>
          <tr>
            <th>{t('rights.column.who', { n: entries.length })}</th>
            <th>{t('rights.column.kind')}</th>
            <th>{t('rights.column.rights')}</th>
            <th>{t('rights.column.until')}</th>
            <th>
              <span className="dr-rights-quiet">{t('rights.column.remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => {
            const { subjectType, subjectId, subjectName, people, kind, source, expireTime, approvedBy } = entry
            const fixed = kind === 'application'
            const deny =
              subjectType === 'user' && (entry.rights & Right.deny) === 0
                ? overridden.find(({ userId }) => userId === subjectId)
                : undefined
            return (
              <tr
                key={`${kind} ${subjectType} ${subjectId}`}
                className={entry === chosen ? 'is-chosen' : ''}
                onClick={() => onChoose(entry)}
              >
                <td>
                  <span className="dr-rights-who">
                    <SubjectAvatar type={subjectType} id={subjectId} name={subjectName} />
                    <span>
                      <button type="button" onClick={() => onChoose(entry)}>
                        {subjectName}
                      </button>
                      <small>
                        {[
                          t(`rights.type.${subjectType}`),
                          subjectType !== 'user' && entry.changed === undefined && t('rights.people', { n: people }),
                          kind === 'inherited' &&
                            (source.fName === ''
                              ? t('rights.fromAbove')
                              : t('rights.fromFolder', { name: source.fName })),
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
                </td>
                <td>
                  <span className={`dr-tag${entry.changed ? ' is-warning' : kind === 'application' ? ' is-info' : ''}`}>
                    {t(entry.changed ? 'rights.kind.changed' : `rights.kind.${kind}`)}
                  </span>
                </td>
                <td>
                  <Select
                    size="small"
                    label={t('rights.of', { name: subjectName })}
                    value={entry.rights}
                    options={rightsOptions(entry.rights, printRights, t)}
                    disabled={fixed}
                    onChange={(mask) => onEdit(entry, { rights: mask })}
                  />
                </td>
                <td>
                  <ExpiryField
                    size="small"
                    label={t('rights.untilOf', { name: subjectName })}
                    value={expireTime}
                    disabled={fixed}
                    onChange={(until) => onEdit(entry, { expireTime: until })}
                  />
                </td>
                <td>
                  {!fixed && (
                    <IconButton
                      size="small"
                      label={t('rights.remove', { name: subjectName })}
                      icon={<Dismiss16Regular />}
                      onClick={() => onRemove(entry)}
                    />
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The single rights of the selected entry. Dependent rights are shown as they apply ([R136]). */
export function EntryDetail({ entry, onEdit }: Editing & { readonly entry: DraftEntry | undefined }): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
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
        {singleRights
          .filter((name) => name !== 'print' || printRights)
          .map((name) => (
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
