// The details of one role next to the table: whether it is external, its holders, and its actions ([R348]).

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Building16Regular, Dismiss16Regular, Tag16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { InitialsAvatar, type PickedPerson } from '../../people/index.ts'
import { refetchOrganisation } from '../shared/organisation-queries.ts'
import type { RoleAnswer } from './role-drafts.ts'

type RoleHolders = Omit<Awaited<ReturnType<typeof api.getRole>>, 'users' | 'secondFactor'> & {
  readonly users: readonly PickedPerson[]
}

interface RolePanelProps {
  readonly role: RoleAnswer
  /** Whether its holders are external, including unsaved changes. */
  readonly external: boolean
  readonly onExternal: ((external: boolean) => void) | undefined
}

/** The holders of a role, and its actions. */
export function RolePanel({ role, external, onExternal }: RolePanelProps): ReactNode {
  const t = useT()
  const { powers } = useSession().permission
  const mayEdit = powers.includes('system')
  const { roleId, roleName } = role
  const { data: all } = useQuery({ queryKey: ['organisation', 'roles', 'counted'], queryFn: () => api.getRoles({}) })
  const titles = all?.titles ?? []
  const { data: who } = useQuery({
    queryKey: ['organisation', 'role', roleId],
    queryFn: () => api.getRole({ roleId }),
  })
  if (who === undefined) return null
  const put = async (next: RoleHolders): Promise<number> => {
    const { people } = await api.setRoleMembers({
      roleId,
      userIds: next.users.map(({ userId }) => userId),
      groupIds: next.groups.map(({ groupId }) => groupId),
      titles: next.titles,
    })
    void refetchOrganisation()
    return people
  }
  const save = async (next: Partial<RoleHolders>): Promise<void> => {
    const n = await put({ ...who, ...next })
    toast({
      kind: 'success',
      key: 'organisation-role',
      text: t('org.roles.saved', { role: roleName, n }),
      action: { text: t('org.undo'), run: () => void put(who) },
    })
  }
  const demand = async (needed: boolean): Promise<void> => {
    await api.setRoleSecondFactor({ roleId, needed }).catch(() => undefined)
    void refetchOrganisation()
  }
  const rename = async (): Promise<void> => {
    const renamed = await openWindow('organisation-name-group', {
      title: t('org.roles.rename'),
      name: roleName,
      of: { kind: 'role', roleId },
    })
    if (renamed !== undefined) void refetchOrganisation()
  }
  const remove = async (): Promise<void> => {
    const sure = await confirmBox({
      text: t('org.roles.deleteAsk', { role: roleName }),
      detail: t('org.roles.deleteMore', { n: role.people }),
      ok: t('org.roles.delete'),
      danger: true,
    })
    if (!sure) return
    await api.deleteRole({ roleId })
    void refetchOrganisation()
    toast({ kind: 'success', text: t('org.roles.deleted', { role: roleName }) })
  }
  const holders = { who, mayEdit, onSave: save }
  return (
    <aside className="or-role-panel or-role" aria-label={roleName}>
      <h2 title={roleName}>{roleName}</h2>
      {mayEdit && (
        <p className="or-role-doings">
          <Button size="small" onClick={() => void rename()}>
            {t('org.roles.rename')}
          </Button>
          <Button size="small" kind="danger" onClick={() => void remove()}>
            {t('org.roles.delete')}
          </Button>
        </p>
      )}
      <p className="k-help">{t(external ? 'org.may.externalMore' : 'org.roles.what')}</p>
      <Checkbox
        label={t('org.may.isExternal')}
        checked={external}
        disabled={onExternal === undefined}
        onChange={(event) => onExternal?.(event.target.checked)}
      />
      <Checkbox
        label={t('org.roles.secondFactor')}
        checked={who.secondFactor}
        disabled={!powers.includes('security')}
        onChange={({ target }) => void demand(target.checked)}
      />
      <ByName roleName={roleName} {...holders} />
      <ByGroup {...holders} />
      <ByTitle titles={titles} {...holders} />
    </aside>
  )
}

interface HoldersProps {
  readonly who: Awaited<ReturnType<typeof api.getRole>>
  readonly mayEdit: boolean
  readonly onSave: (next: Partial<RoleHolders>) => Promise<void>
}

/** The people who hold the role. */
function ByName({ roleName, who, mayEdit, onSave }: HoldersProps & { readonly roleName: string }): ReactNode {
  const t = useT()
  const addPeople = async (): Promise<void> => {
    const users = await openWindow('people-pick', {
      title: t('org.roles.people', { role: roleName }),
      ok: t('org.save'),
      picked: who.users,
    })
    if (users !== undefined) await onSave({ users })
  }
  return (
    <>
      <h2 className="or-heading">{t('org.roles.byName')}</h2>
      <ul className="or-lines is-whole">
        {who.users.map((user) => (
          <li key={user.userId}>
            <InitialsAvatar id={user.userId} name={user.accountName} />
            <span>
              {user.accountName} <small>{user.account}</small>
            </span>
            {mayEdit && (
              <Drop
                name={user.accountName}
                onDrop={() => void onSave({ users: who.users.filter((one) => one !== user) })}
              />
            )}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <Button kind="link" onClick={() => void addPeople()}>
          {t('org.roles.addPeople')}
        </Button>
      )}
    </>
  )
}

/** The departments whose people hold the role. */
function ByGroup({ who, mayEdit, onSave }: HoldersProps): ReactNode {
  const t = useT()
  const addGroup = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', { title: t('org.roles.addGroup'), ok: t('org.add') })
    if (picked === undefined || who.groups.some(({ groupId }) => groupId === picked.groupId)) return
    await onSave({ groups: [...who.groups, picked] })
  }
  return (
    <>
      <h2 className="or-heading">{t('org.roles.byGroup')}</h2>
      <ul className="or-lines is-whole">
        {who.groups.map((group) => (
          <li key={group.groupId}>
            <Building16Regular />
            <span>{group.path}</span>
            {mayEdit && (
              <Drop
                name={group.groupName}
                onDrop={() => void onSave({ groups: who.groups.filter((one) => one !== group) })}
              />
            )}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <Button kind="link" onClick={() => void addGroup()}>
          {t('org.roles.addGroup')}
        </Button>
      )}
    </>
  )
}

/** The titles whose holders hold the role. */
function ByTitle({ titles, who, mayEdit, onSave }: HoldersProps & { readonly titles: readonly string[] }): ReactNode {
  const t = useT()
  const rest = titles.filter((title) => !who.titles.includes(title))
  return (
    <>
      <h2 className="or-heading">{t('org.roles.byTitle')}</h2>
      <ul className="or-lines is-whole">
        {who.titles.map((title) => (
          <li key={title}>
            <Tag16Regular />
            <span>{title}</span>
            {mayEdit && (
              <Drop name={title} onDrop={() => void onSave({ titles: who.titles.filter((one) => one !== title) })} />
            )}
          </li>
        ))}
      </ul>
      {rest.length > 0 && mayEdit ? (
        <Select
          label={t('org.roles.addTitle')}
          size="small"
          value=""
          options={[
            { value: '', label: t('org.roles.addTitle') },
            ...rest.map((title) => ({ value: title, label: title })),
          ]}
          onChange={(title) => title !== '' && void onSave({ titles: [...who.titles, title] })}
        />
      ) : (
        who.titles.length === 0 && <p className="k-help">{t('org.roles.noTitles')}</p>
      )}
    </>
  )
}

interface DropProps {
  readonly name: string
  readonly onDrop: () => void
}

function Drop({ name, onDrop }: DropProps): ReactNode {
  const t = useT()
  return <IconButton size="small" label={t('org.pick.drop', { name })} icon={<Dismiss16Regular />} onClick={onDrop} />
}
