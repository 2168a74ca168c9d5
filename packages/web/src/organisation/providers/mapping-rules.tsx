// The rules of a provider: which value of a claim or which group gives a role, or places a person in a department.
import type { MappingRule } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Add16Regular, Dismiss16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { isMapped, type MappedSettings, type RuledSettings } from './drafts.ts'
import { providersKey } from './provider-side.tsx'
import './mapping-texts.ts'

export interface Role {
  readonly roleId: number
  readonly roleName: string
}

export interface NamedDepartment {
  readonly groupId: number
  readonly path: string
}

/** Whether each rule has a value, and a role or a department. */
export const areWhole = ({ rules }: RuledSettings): boolean =>
  rules.every(({ value, id }) => value.trim() !== '' && id !== 0)

/** What is known of the claims of a provider, and whose changes wait. */
export const useMapping = (providerId: number, isOn: boolean) =>
  useQuery({
    queryKey: [...providersKey, 'mapping', providerId],
    queryFn: () => api.getMapping({ providerId }),
    enabled: isOn && providerId !== 0,
  })

export function MappingRules(props: {
  readonly settings: RuledSettings
  readonly providerId: number
  readonly roles: readonly Role[]
  readonly departments: readonly NamedDepartment[]
  readonly onChange: (more: Partial<Pick<MappedSettings, 'rules' | 'applies' | 'absentIsNone'>>) => void
}): ReactNode {
  const t = useT()
  const { settings, providerId, roles, onChange } = props
  const { rules } = settings
  // Departments that were chosen here; those of stored rules come with the provider.
  const [chosen, setChosen] = useState<readonly NamedDepartment[]>([])
  const { data } = useMapping(providerId, isMapped(settings))
  const set = (at: number, more: Partial<MappingRule>): void =>
    onChange({ rules: rules.map((rule, n) => (n === at ? { ...rule, ...more } : rule)) })
  const add = (): void => onChange({ rules: [...rules, { claim: '', value: '', gives: 'role', id: 0 }] })
  return (
    <>
      <h2>{t('ssoMapping.rules')}</h2>
      <p className="k-help">{t(settings.kind === 'ldap' ? 'ssoMapping.ldapHelp' : 'ssoMapping.help')}</p>
      {rules.length > 0 && (
        <ol className="pv-rules">
          {rules.map((rule, at) => (
            <RuleRow
              // oxlint-disable-next-line react/no-array-index-key -- a rule has no other identity, and is edited in place
              key={at}
              rule={rule}
              number={at + 1}
              claims={data?.claims ?? []}
              roles={roles}
              departments={[...chosen, ...props.departments]}
              onChange={(more) => set(at, more)}
              onPick={(picked) => setChosen([...chosen, picked])}
              onRemove={() => onChange({ rules: rules.filter((_, n) => n !== at) })}
            />
          ))}
        </ol>
      )}
      <div>
        <Button icon={<Add16Regular />} onClick={add}>
          {t('ssoMapping.add')}
        </Button>
      </div>
      {isMapped(settings) && (
        <>
          <Checkbox
            label={t('ssoMapping.applies')}
            checked={settings.applies}
            onChange={({ target }) => onChange({ applies: target.checked })}
          />
          <Checkbox
            label={t('ssoMapping.absentIsNone')}
            checked={settings.absentIsNone}
            onChange={({ target }) => onChange({ absentIsNone: target.checked })}
          />
        </>
      )}
    </>
  )
}

function RuleRow(props: {
  readonly rule: MappingRule
  readonly number: number
  readonly claims: readonly { readonly name: string; readonly values: readonly string[] }[]
  readonly roles: readonly Role[]
  readonly departments: readonly NamedDepartment[]
  readonly onChange: (more: Partial<MappingRule>) => void
  readonly onPick: (picked: NamedDepartment) => void
  readonly onRemove: () => void
}): ReactNode {
  const t = useT()
  const id = useId()
  const { rule, number, claims, roles, departments, onChange } = props
  const department = departments.find(({ groupId }) => groupId === rule.id)
  const pick = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', {
      title: t('ssoMapping.pick'),
      ok: t('ssoMapping.choose'),
    })
    if (picked === undefined) return
    props.onPick({ groupId: picked.groupId, path: picked.path || picked.groupName })
    onChange({ id: picked.groupId })
  }
  const values = claims.find(({ name }) => name === rule.claim)?.values ?? []
  const label = (name: 'claim' | 'value' | 'gives' | 'role'): string => `${t(`ssoMapping.${name}`)} ${number}`
  return (
    <li>
      <div className="k-input">
        <input
          aria-label={label('claim')}
          placeholder={t('ssoMapping.groups')}
          spellCheck={false}
          maxLength={300}
          list={`${id}-claims`}
          value={rule.claim}
          onChange={({ target }) => onChange({ claim: target.value.trim() })}
        />
      </div>
      <datalist id={`${id}-claims`}>
        {claims.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <div className="k-input">
        <input
          aria-label={label('value')}
          placeholder={t('ssoMapping.value')}
          spellCheck={false}
          maxLength={500}
          list={`${id}-values`}
          value={rule.value}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      </div>
      <datalist id={`${id}-values`}>
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </datalist>
      <Select
        label={label('gives')}
        value={rule.gives}
        options={(['role', 'department'] as const).map((value) => ({ value, label: t(`ssoMapping.gives.${value}`) }))}
        onChange={(gives) => onChange({ gives, id: 0 })}
      />
      {rule.gives === 'role' ? (
        <Select
          label={label('role')}
          value={rule.id}
          options={[
            ...(rule.id === 0 ? [{ value: 0, label: t('ssoMapping.chooseRole'), disabled: true }] : []),
            ...roles.map(({ roleId, roleName }) => ({ value: roleId, label: roleName })),
          ]}
          onChange={(roleId) => onChange({ id: roleId })}
        />
      ) : (
        <Button className="pv-department" title={department?.path} onClick={() => void pick()}>
          <span>{rule.id === 0 ? t('ssoMapping.chooseDepartment') : (department?.path ?? t('ssoMapping.gone'))}</span>
        </Button>
      )}
      <IconButton label={t('ssoMapping.drop', { n: number })} icon={<Dismiss16Regular />} onClick={props.onRemove} />
    </li>
  )
}
