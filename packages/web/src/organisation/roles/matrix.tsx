import { type Capability, capabilities, capabilityNames, capabilityNeeds } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { reloadSettings, useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { ArrowUndo16Regular, Checkmark16Regular, Search16Regular } from '../../kit/icons.ts'
import {
  type CapabilitiesAnswer,
  changesOf,
  type Drafts,
  isAllowed,
  isDraft,
  isEffective,
  withDraft,
} from './role-drafts.ts'
import { RolePanel } from './role-panel.tsx'

interface MatrixProps {
  readonly told: CapabilitiesAnswer
  /** 0 means everybody. */
  readonly chosenId: number
  readonly onChoose: (roleId: number) => void
}

const groups = [...new Set(capabilityNames.map((name) => capabilities[name].group))]

/** The capabilities of everybody and of each role, in one table; the selected role is next to it. */
export function Matrix({ told, chosenId, onChoose }: MatrixProps): ReactNode {
  const t = useT()
  const maySet = useSession().permission.powers.includes('security')
  const [drafts, setDrafts] = useState<Drafts>({})
  const [sought, setSought] = useState('')
  const columns = [
    { roleId: 0, roleName: t('org.may.everybody'), people: told.people },
    ...told.roles.map(({ roleId, roleName, people }) => ({ roleId, roleName, people })),
  ]
  const chosen = told.roles.find(({ roleId }) => roleId === chosenId)
  const names = capabilityNames.filter((name) =>
    t(`org.may.${name}`).toLowerCase().includes(sought.trim().toLowerCase()),
  )
  const change = (roleId: number, what: Capability | 'external', value: boolean): void =>
    setDrafts((now) => withDraft(told, now, roleId, what, value))
  return (
    <div className="or-roles">
      <div className="or-matrix-box">
        <div className="or-matrix-tools">
          <span className="k-input or-search">
            <Search16Regular />
            <input
              type="search"
              aria-label={t('org.may.search')}
              placeholder={t('org.may.search')}
              value={sought}
              onChange={(event) => setSought(event.target.value)}
            />
          </span>
          <span className="or-grow" />
          <small>
            <Checkmark16Regular /> {t('org.may.withEverybody')}
          </small>
          {maySet ? (
            <small>
              <i className="or-dot" /> {t('org.may.unsaved')}
            </small>
          ) : (
            <small>{t('org.may.bySecurity')}</small>
          )}
        </div>
        <div className="or-matrix-scroll">
          <table className="or-matrix">
            <thead>
              <tr>
                <th scope="col">{t('org.may.capability')}</th>
                {columns.map(({ roleId, roleName, people }) => (
                  <th key={roleId} scope="col" aria-label={roleName} data-chosen={roleId === chosenId || undefined}>
                    <button type="button" aria-pressed={roleId === chosenId} onClick={() => onChoose(roleId)}>
                      <b title={roleName}>{roleName}</b>
                      <small>
                        {t('org.count', { n: people })}
                        {roleId !== 0 && isAllowed(told, drafts, roleId, 'external') && ` · ${t('org.may.external')}`}
                      </small>
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            {groups.map((group) => {
              const here = names.filter((name) => capabilities[name].group === group)
              if (here.length === 0) return undefined
              return (
                <tbody key={group}>
                  <tr>
                    <th scope="rowgroup" colSpan={columns.length + 1}>
                      {t(`org.may.group.${group}`)}
                    </th>
                  </tr>
                  {here.map((name) => {
                    const needed = capabilityNeeds(name)
                    return (
                      <tr key={name}>
                        <th scope="row">
                          {t(`org.may.${name}`)}{' '}
                          {needed !== undefined && (
                            <small>{t('org.may.needs', { what: t(`org.may.${needed}`) })}</small>
                          )}
                        </th>
                        {columns.map(({ roleId, roleName }) => (
                          <td key={roleId} data-chosen={roleId === chosenId || undefined}>
                            <Cell
                              {...{ told, drafts, roleId, name, maySet }}
                              label={`${roleName}：${t(`org.may.${name}`)}`}
                              onChange={(value) => change(roleId, name, value)}
                            />
                          </td>
                        ))}
                      </tr>
                    )
                  })}
                </tbody>
              )
            })}
          </table>
          {names.length === 0 && <p className="k-help">{t('org.may.notFound', { what: sought.trim() })}</p>}
        </div>
        <SaveBar told={told} drafts={drafts} onDrop={() => setDrafts({})} />
      </div>
      {chosen !== undefined ? (
        <RolePanel
          key={chosen.roleId}
          role={chosen}
          external={isAllowed(told, drafts, chosen.roleId, 'external')}
          onExternal={maySet ? (value) => change(chosen.roleId, 'external', value) : undefined}
        />
      ) : (
        <aside className="or-role-panel" aria-label={t('org.may.everybody')}>
          <h2>{t('org.may.everybody')}</h2>
          <p className="k-help">{t('org.may.everybodyMore')}</p>
        </aside>
      )}
    </div>
  )
}

interface CellProps {
  readonly told: CapabilitiesAnswer
  readonly drafts: Drafts
  readonly roleId: number
  readonly name: Capability
  readonly maySet: boolean
  readonly label: string
  readonly onChange: (value: boolean) => void
}

/** A checkbox, or only a sign if everybody has the capability and the role cannot add it. */
function Cell({ told, drafts, roleId, name, maySet, label, onChange }: CellProps): ReactNode {
  const t = useT()
  const own = isAllowed(told, drafts, roleId, name)
  const drafted = isDraft(drafts, roleId, name)
  const had = isEffective(told, drafts, roleId, name)
  const byEverybody =
    roleId !== 0 && !isAllowed(told, drafts, roleId, 'external') && isAllowed(told, drafts, 0, name) && !drafted && !own
  if (byEverybody || (!maySet && !own))
    return byEverybody ? (
      <Checkmark16Regular className="or-had" aria-label={`${label} ${t('org.may.withEverybody')}`} />
    ) : (
      <span aria-label={`${label} ${t('org.may.no')}`}>—</span>
    )
  const needed = capabilityNeeds(name)
  const idle = own && !had && needed !== undefined
  return (
    <span
      className="or-tick"
      data-draft={drafted || undefined}
      data-idle={idle || undefined}
      data-tip={idle ? t('org.may.idle', { what: t(`org.may.${needed}`) }) : undefined}
    >
      <Checkbox
        label={undefined}
        aria-label={label}
        checked={own}
        disabled={!maySet}
        onChange={(event) => onChange(event.target.checked)}
      />
    </span>
  )
}

interface SaveBarProps {
  readonly told: CapabilitiesAnswer
  readonly drafts: Drafts
  readonly onDrop: () => void
}

/** The unsaved changes, whom they affect, and the save button. */
function SaveBar({ told, drafts, onDrop }: SaveBarProps): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const input = changesOf(drafts)
  const n = Object.keys(drafts).length
  if (n === 0) return undefined
  const roleIds = new Set([...input.changes, ...input.external].map(({ roleId }) => roleId))
  const nameOf = (roleId: number): string =>
    told.roles.find((role) => role.roleId === roleId)?.roleName ?? t('org.may.everybody')
  const words = [
    ...input.changes.map(({ roleId, capability, allowed }) =>
      t(allowed ? 'org.may.opens' : 'org.may.closes', { role: nameOf(roleId), what: t(`org.may.${capability}`) }),
    ),
    ...input.external.map(({ roleId, external }) =>
      t(external ? 'org.may.becomesExternal' : 'org.may.becomesOwn', { role: nameOf(roleId) }),
    ),
  ].join(t('admin.set.comma'))
  const people = roleIds.has(0)
    ? told.people
    : told.roles.filter(({ roleId }) => roleIds.has(roleId)).reduce((sum, role) => sum + role.people, 0)
  const save = async (): Promise<void> => {
    setBusy(true)
    setRefused(undefined)
    try {
      const { people: concerned } = await api.setCapabilities(input)
      await queryClient.invalidateQueries({ queryKey: ['organisation', 'capabilities'] })
      onDrop()
      toast({ kind: 'success', key: 'organisation-may', text: t('org.may.saved', { n: concerned }) })
      await reloadSettings()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setRefused(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <footer className="ad-save or-matrix-save" aria-label={t('admin.set.unsavedBar')}>
      <b>{t('admin.set.unsaved', { n })}</b>
      <span
        className="ad-save-names"
        title={refused ?? words}
        role={refused === undefined ? undefined : 'alert'}
        data-refused={refused !== undefined || undefined}
      >
        {refused ?? words}
      </span>
      <small>{t('org.may.concerns', { n: people })}</small>
      <Button icon={<ArrowUndo16Regular />} disabled={busy} onClick={onDrop}>
        {t('admin.set.drop')}
      </Button>
      <Button kind="primary" disabled={busy} onClick={() => void save()}>
        {t('admin.set.save', { n })}
      </Button>
    </footer>
  )
}
