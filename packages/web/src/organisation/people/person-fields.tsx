// The fields of a user: who they are, and what they may do.
import { formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Dismiss16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { useAdministrationScope } from '../shared/administration-scope.ts'
import { Field, Input, useLevels } from '../shared/form-parts.tsx'
import type { PersonInfo } from '../shared/organisation-queries.ts'
import type { PersonDraft } from './person-draft.ts'

const gib = 1024 ** 3

interface FieldProps {
  readonly draft: PersonDraft
  readonly set: (part: Partial<PersonDraft>) => void
}

interface BasicProps extends FieldProps {
  readonly person: PersonInfo
  readonly accountProblem: string | undefined
}

export function BasicFields({ person, draft, set, accountProblem }: BasicProps): ReactNode {
  const t = useT()
  const may = useAdministrationScope()
  // Only an administrator of the whole company can change another administrator. The account name, mail address and
  // phone number of an administrator can be changed only by that administrator.
  const isOwn = useSession().account.accountId === person.userId
  const administers = person.isAdmin || person.powers.length > 0
  const mayNames = may.people && (may.whole || !administers)
  const mayReach = mayNames && (isOwn || !administers)
  const field = (name: 'accountName' | 'account' | 'title' | 'email' | 'phone', label: string) => ({
    label,
    disabled: name === 'accountName' || name === 'title' ? !mayNames : !mayReach,
    value: draft[name],
    problem: name === 'account' ? accountProblem : undefined,
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  const pickGroup = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', { title: t('org.pick.group'), ok: t('box.ok') })
    if (picked !== undefined)
      set({ group: picked, others: draft.others.filter(({ groupId }) => groupId !== picked.groupId) })
  }
  return (
    <div className="or-form">
      <Field label={t('org.field.name')}>
        <Input {...field('accountName', t('org.field.name'))} maxLength={64} />
      </Field>
      <Field label={t('org.field.account')}>
        <Input {...field('account', t('org.field.account'))} maxLength={64} />
      </Field>
      <Field label={t('org.field.group')}>
        <Button className="or-pick-button" disabled={!mayNames} onClick={() => void pickGroup()}>
          {draft.group.path}
        </Button>
      </Field>
      {may.whole && <OthersField draft={draft} set={set} />}
      <Field label={t('org.field.title')}>
        <Input {...field('title', t('org.field.title'))} maxLength={64} />
      </Field>
      <Field label={t('org.field.email')}>
        <Input {...field('email', t('org.field.email'))} type="email" maxLength={254} />
      </Field>
      <Field label={t('org.field.phone')}>
        <Input {...field('phone', t('org.field.phone'))} maxLength={32} />
      </Field>
      {may.quota && (may.whole || !administers) && <QuotaField person={person} draft={draft} set={set} />}
      {mayNames && !administers && !isOwn && <ExpiryField draft={draft} set={set} />}
    </div>
  )
}

/** The other departments of the user. */
function OthersField({ draft, set }: FieldProps): ReactNode {
  const t = useT()
  const addOther = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', { title: t('org.pick.other'), ok: t('org.add') })
    if (picked === undefined || picked.groupId === draft.group.groupId) return
    const rest = draft.others.filter(({ groupId }) => groupId !== picked.groupId)
    set({ others: [...rest, { groupId: picked.groupId, groupName: picked.groupName }] })
  }
  return (
    <Field label={t('org.field.others')}>
      <ul className="or-chips">
        {draft.others.map((other) => (
          <li key={other.groupId}>
            {other.groupName}
            <IconButton
              size="small"
              label={t('org.pick.drop', { name: other.groupName })}
              icon={<Dismiss16Regular />}
              onClick={() => set({ others: draft.others.filter(({ groupId }) => groupId !== other.groupId) })}
            />
          </li>
        ))}
        <li className="is-plain">
          <Button kind="link" onClick={() => void addOther()}>
            {t('org.add')}
          </Button>
        </li>
      </ul>
    </Field>
  )
}

function QuotaField({ person, draft, set }: FieldProps & { readonly person: PersonInfo }): ReactNode {
  const t = useT()
  const { user_space } = useSession().serverSetting
  const usual = user_space === 0 ? t('org.quota.none') : formatSize(user_space, 1)
  return (
    <Field label={t('org.field.quota')} help={t('org.quota.used', { used: formatSize(person.used, 1) })}>
      <div className="or-line">
        <Select
          label={t('org.field.quota')}
          value={draft.quota === null ? 'usual' : draft.quota === 0 ? 'none' : 'own'}
          options={[
            { value: 'usual', label: t('org.quota.usual', { size: usual }) },
            { value: 'none', label: t('org.quota.none') },
            { value: 'own', label: t('org.quota.own') },
          ]}
          onChange={(kind) => set({ quota: kind === 'usual' ? null : kind === 'none' ? 0 : 20 * gib })}
        />
        {draft.quota !== null && draft.quota !== 0 && (
          <>
            <Input
              label={t('org.quota.own')}
              type="number"
              min={1}
              max={1_000_000}
              value={Math.round((draft.quota / gib) * 100) / 100}
              onChange={({ target }) => set({ quota: Math.max(1, Math.round(Number(target.value) * gib)) })}
            />
            GB
          </>
        )}
      </div>
      {draft.quota !== null && draft.quota !== 0 && (
        <progress className="or-bar" max={draft.quota} value={person.used} aria-label={t('org.field.quota')} />
      )}
    </Field>
  )
}

function ExpiryField({ draft, set }: FieldProps): ReactNode {
  const t = useT()
  return (
    <Field label={t('org.field.expiry')} help={t('org.expiry.help')}>
      <div className="or-line">
        <Input
          label={t('org.field.expiry')}
          type="date"
          value={dayOf(draft.expireTime)}
          onChange={({ target }) => set({ expireTime: endOf(target.value) })}
        />
        {draft.expireTime === 0 ? (
          <small>{t('org.expiry.never')}</small>
        ) : (
          <Button kind="link" onClick={() => set({ expireTime: 0 })}>
            {t('org.expiry.clear')}
          </Button>
        )}
      </div>
    </Field>
  )
}

interface RoleProps extends FieldProps {
  readonly roles: readonly { readonly roleId: number; readonly roleName: string }[]
}

/** The security level and the roles. */
export function RoleFields({ draft, set, roles }: RoleProps): ReactNode {
  const t = useT()
  const levels = useLevels()
  return (
    <>
      <div className="or-form">
        <Field label={t('org.column.level')} help={t('org.level.help')}>
          <Select
            label={t('org.column.level')}
            value={draft.secretLevel}
            options={levels.map((label, value) => ({ value, label }))}
            onChange={(secretLevel) => set({ secretLevel })}
          />
        </Field>
      </div>
      <h3 className="or-heading">{t('org.column.roles')}</h3>
      {roles.length === 0 && <p className="k-help">{t('org.roles.none')}</p>}
      <ul className="or-checks">
        {roles.map(({ roleId, roleName }) => (
          <li key={roleId}>
            <Checkbox
              label={roleName}
              checked={draft.roleIds.includes(roleId)}
              onChange={({ target }) =>
                set({
                  roleIds: target.checked ? [...draft.roleIds, roleId] : draft.roleIds.filter((id) => id !== roleId),
                })
              }
            />
          </li>
        ))}
      </ul>
    </>
  )
}

const dayOf = (ms: number): string => {
  if (ms === 0) return ''
  const day = new Date(ms - 1)
  return [day.getFullYear(), String(day.getMonth() + 1).padStart(2, '0'), String(day.getDate()).padStart(2, '0')].join(
    '-',
  )
}
/** The end of a day. */
const endOf = (day: string): number => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return day === '' ? 0 : new Date(year, month - 1, date + 1).getTime()
}
