// Roles and who has them ([R348]): people by name, whole departments, everybody in a position.

import { Add16Regular, Building16Regular, Dismiss16Regular, Tag16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AdminBody } from '../../admin/index.ts'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Face, type PickedPerson } from '../../people/index.ts'
import { refetchOrganisation } from '../shared/data.ts'

import '../shared/organisation.css'

interface Role {
  readonly roleId: number
  readonly roleName: string
  readonly people: number
}

export function RolesPage(): ReactNode {
  const t = useT()
  const { data, error } = useQuery({ queryKey: ['organisation', 'roles', 'counted'], queryFn: () => api.getRoles({}) })
  const [chosenId, setChosenId] = useState<number>()
  const roles = data?.list ?? []
  const chosen = roles.find(({ roleId }) => roleId === chosenId) ?? roles[0]
  const create = async (): Promise<void> => {
    let made = 0
    const name = await openWindow('organisation-name-group', {
      title: t('org.roles.new'),
      name: '',
      save: async (roleName) => {
        made = (await api.createRole({ roleName })).roleId
      },
    })
    if (name === undefined) return
    setChosenId(made)
    refetchOrganisation()
  }
  return (
    <AdminBody
      title={t('org.roles')}
      note={data && t('org.roles.count', { n: roles.length })}
      actions={
        <Button kind="primary" icon={<Add16Regular />} onClick={() => void create()}>
          {t('org.roles.new')}
        </Button>
      }
    >
      {error !== null ? (
        <StatePage title={t('org.failed')} text={error.message} />
      ) : data !== undefined && roles.length === 0 ? (
        <StatePage title={t('org.roles.none')} text={t('org.roles.what')} />
      ) : (
        <div className="or-page">
          <nav className="or-side" aria-label={t('org.roles')}>
            <ul className="or-role-list">
              {roles.map((role) => (
                <li key={role.roleId}>
                  <button
                    type="button"
                    className={`or-node${role === chosen ? ' is-current' : ''}`}
                    aria-current={role === chosen}
                    onClick={() => setChosenId(role.roleId)}
                  >
                    <span className="or-node-name" title={role.roleName}>
                      {role.roleName}
                    </span>
                    <small className="or-count">{role.people}</small>
                  </button>
                </li>
              ))}
            </ul>
          </nav>
          {chosen !== undefined && <Members key={chosen.roleId} role={chosen} titles={data?.titles ?? []} />}
        </div>
      )}
    </AdminBody>
  )
}

type Who = Omit<Awaited<ReturnType<typeof api.getRole>>, 'users'> & { readonly users: readonly PickedPerson[] }

/** Who has a role, and what is done with it. */
function Members({ role, titles }: { readonly role: Role; readonly titles: readonly string[] }): ReactNode {
  const t = useT()
  const { roleId, roleName } = role
  const { data: who } = useQuery({
    queryKey: ['organisation', 'role', roleId],
    queryFn: () => api.getRole({ roleId }),
  })
  if (who === undefined) return null
  const put = async (next: Who): Promise<number> => {
    const { people } = await api.setRoleMembers({
      roleId,
      userIds: next.users.map(({ userId }) => userId),
      groupIds: next.groups.map(({ groupId }) => groupId),
      titles: next.titles,
    })
    refetchOrganisation()
    return people
  }
  const save = async (next: Partial<Who>): Promise<void> => {
    const n = await put({ ...who, ...next })
    toast({
      kind: 'success',
      key: 'organisation-role',
      text: t('org.roles.saved', { role: roleName, n }),
      action: { text: t('org.undo'), run: () => void put(who) },
    })
  }
  const addPeople = async (): Promise<void> => {
    const users = await openWindow('people-pick', {
      title: t('org.roles.people', { role: roleName }),
      ok: t('org.save'),
      picked: who.users,
    })
    if (users !== undefined) await save({ users })
  }
  const addGroup = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', { title: t('org.roles.addGroup'), ok: t('org.add') })
    if (picked === undefined || who.groups.some(({ groupId }) => groupId === picked.groupId)) return
    await save({ groups: [...who.groups, picked] })
  }
  const rename = async (): Promise<void> => {
    const name = await openWindow('organisation-name-group', {
      title: t('org.roles.rename'),
      name: roleName,
      save: (next) => api.renameRole({ roleId, roleName: next }),
    })
    if (name !== undefined) refetchOrganisation()
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
    refetchOrganisation()
    toast({ kind: 'success', text: t('org.roles.deleted', { role: roleName }) })
  }
  const drop = (name: string, next: Partial<Who>): ReactNode => (
    <IconButton
      size="small"
      label={t('org.pick.drop', { name })}
      icon={<Dismiss16Regular />}
      onClick={() => void save(next)}
    />
  )
  const rest = titles.filter((title) => !who.titles.includes(title))
  return (
    <section className="or-main or-role" aria-label={roleName}>
      <header className="or-head">
        <b>{roleName}</b>
        <span className="ad-note">{t('org.count', { n: role.people })}</span>
        <span className="or-grow" />
        <Button size="small" onClick={() => void rename()}>
          {t('org.roles.rename')}
        </Button>
        <Button size="small" kind="danger" onClick={() => void remove()}>
          {t('org.roles.delete')}
        </Button>
      </header>
      <p className="k-help">{t('org.roles.what')}</p>
      <h2 className="or-heading">{t('org.roles.byName')}</h2>
      <ul className="or-lines is-whole">
        {who.users.map((user) => (
          <li key={user.userId}>
            <Face id={user.userId} name={user.accountName} />
            <span>
              {user.accountName} <small>{user.account}</small>
            </span>
            {drop(user.accountName, { users: who.users.filter((one) => one !== user) })}
          </li>
        ))}
      </ul>
      <Button kind="link" onClick={() => void addPeople()}>
        {t('org.roles.addPeople')}
      </Button>
      <h2 className="or-heading">{t('org.roles.byGroup')}</h2>
      <ul className="or-lines is-whole">
        {who.groups.map((group) => (
          <li key={group.groupId}>
            <Building16Regular />
            <span>{group.path}</span>
            {drop(group.groupName, { groups: who.groups.filter((one) => one !== group) })}
          </li>
        ))}
      </ul>
      <Button kind="link" onClick={() => void addGroup()}>
        {t('org.roles.addGroup')}
      </Button>
      <h2 className="or-heading">{t('org.roles.byTitle')}</h2>
      <ul className="or-lines is-whole">
        {who.titles.map((title) => (
          <li key={title}>
            <Tag16Regular />
            <span>{title}</span>
            {drop(title, { titles: who.titles.filter((one) => one !== title) })}
          </li>
        ))}
      </ul>
      {rest.length > 0 ? (
        <Select
          label={t('org.roles.addTitle')}
          size="small"
          value=""
          options={[
            { value: '', label: t('org.roles.addTitle') },
            ...rest.map((title) => ({ value: title, label: title })),
          ]}
          onChange={(title) => title !== '' && void save({ titles: [...who.titles, title] })}
        />
      ) : (
        who.titles.length === 0 && <p className="k-help">{t('org.roles.noTitles')}</p>
      )}
    </section>
  )
}
