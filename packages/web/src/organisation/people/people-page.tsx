// Users and departments ([R347]): the tree, the users of the selected department, and one user in a drawer.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useNavigate } from 'react-router'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { type MenuAt, showMenu } from '../../core/menu/menu.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  Add16Regular,
  ArrowSync16Regular,
  ArrowUpload16Regular,
  PeopleEdit16Regular,
  Search16Regular,
} from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { useAdministrationScope } from '../shared/administration-scope.ts'
import { type Department, departmentsBelow, refetchOrganisation, useRoles } from '../shared/organisation-queries.ts'
import { exportPeople } from '../sheets/export.ts'
import { dropGroup, menuOfGroup, renameGroup, setManagers } from '../tree/department-changes.ts'
import { DepartmentTree, dragged } from '../tree/department-tree.tsx'
import { moveTo, setLimit } from './people-actions.ts'
import { PeopleTable } from './people-table.tsx'
import { PersonDrawer } from './person-drawer.tsx'
import { type PeopleFilter, usePeople } from './use-people.ts'

const states = ['all', 'normal', 'waiting', 'frozen', 'locked', 'restricted', 'disabled'] as const

export function PeoplePage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const may = useAdministrationScope()
  const tops = useQuery(departmentsBelow(undefined)).data?.list ?? []
  const [department, setDepartment] = useState<Department>()
  const [keyword, setKeyword] = useState('')
  const [state, setState] = useState<(typeof states)[number]>('all')
  const [roleId, setRoleId] = useState(0)
  const [openId, setOpenId] = useState<number>()
  const roles = useRoles().data?.list ?? []
  // A department administrator starts at the top delegated department.
  const shown = department ?? tops[0]
  const filter: PeopleFilter = {
    groupId: shown === undefined || shown.parentId === 0 ? 0 : shown.groupId,
    keyword: useDeferredValue(keyword.trim()),
    state,
    roleId,
  }
  const people = usePeople(filter)
  const isNarrowed = filter.keyword !== '' || state !== 'all' || roleId !== 0

  const create = async (): Promise<void> => {
    const group = shown ?? { groupId: 0, path: '' }
    const made = await openWindow('organisation-new-person', { group: { groupId: group.groupId, path: group.path } })
    if (made === undefined) return
    void refetchOrganisation()
    setOpenId(made.userId)
  }
  return (
    <AdminBody
      title={t('org.people')}
      note={may.whole ? <Limit /> : undefined}
      actions={
        <>
          {may.whole && (
            <Button
              icon={<ArrowUpload16Regular />}
              aria-haspopup="menu"
              onClick={({ currentTarget }) => {
                const { left, bottom } = currentTarget.getBoundingClientRect()
                const entries = [
                  { id: 'import', label: t('org.import.xlsx'), run: () => void navigate('/doc/admin/people/import') },
                  { separator: true as const },
                  { id: 'xlsx', label: t('org.export.xlsx'), run: () => void exportPeople('xlsx') },
                  { id: 'csv', label: t('org.export.csv'), run: () => void exportPeople('csv') },
                ]
                void showMenu(entries, { x: left, y: bottom + 4 })
              }}
            >
              {t('org.import.more')}
            </Button>
          )}
          {may.people && (
            <Button kind="primary" icon={<Add16Regular />} onClick={() => void create()}>
              {t('org.new')}
            </Button>
          )}
        </>
      }
    >
      <div className="or-page">
        <div className="or-side">
          <DepartmentTree
            label={t('org.tree')}
            selectedId={shown?.groupId}
            counted
            onSelect={setDepartment}
            {...(may.departments && {
              onRename: (one: Department) => void renameGroup(one),
              onMenu: (one: Department, at: MenuAt) => void showMenu(menuOfGroup(one, may, tops), at),
            })}
            onDrop={(target, where) => {
              if (dragged.group !== undefined && may.departments) void dropGroup(dragged.group, target, where)
              else if (dragged.people && may.people) void moveTo(people.selected(), target)
            }}
          />
        </div>
        <div className="or-main">
          <header className="or-head">
            <b>{shown?.groupName}</b>
            {people.total !== undefined && <span className="ad-note">{t('org.count', { n: people.total })}</span>}
            {shown !== undefined && (
              <>
                {may.whole && <Managers department={shown} />}
                {may.departments && (
                  <Button
                    kind="ghost"
                    size="small"
                    aria-haspopup="menu"
                    onClick={({ currentTarget }) => {
                      const { left, bottom } = currentTarget.getBoundingClientRect()
                      void showMenu(menuOfGroup(shown, may, tops), { x: left, y: bottom + 4 })
                    }}
                  >
                    {t('org.group.more')}
                  </Button>
                )}
              </>
            )}
          </header>
          <div className="or-filters">
            <div className="k-input or-search">
              <Search16Regular />
              <input
                type="search"
                aria-label={t('org.search')}
                placeholder={t('org.search')}
                value={keyword}
                onChange={({ target }) => setKeyword(target.value)}
              />
            </div>
            <Select
              label={t('org.column.state')}
              size="small"
              value={state}
              options={states.map((value) => ({ value, label: t(`org.filter.${value}`) }))}
              onChange={setState}
            />
            <Select
              label={t('org.column.roles')}
              size="small"
              value={roleId}
              options={[
                { value: 0, label: t('org.filter.roles') },
                ...roles.map((role) => ({ value: role.roleId, label: role.roleName })),
              ]}
              onChange={setRoleId}
            />
            <IconButton
              label={t('org.refresh')}
              icon={<ArrowSync16Regular />}
              onClick={() => void refetchOrganisation()}
            />
          </div>
          <PeopleTable
            people={people}
            openId={openId}
            onOpen={setOpenId}
            empty={t(isNarrowed ? 'org.none' : 'org.empty')}
          />
        </div>
        {openId !== undefined && <PersonDrawer key={openId} userId={openId} onClose={() => setOpenId(undefined)} />}
      </div>
    </AdminBody>
  )
}

/** The number of accounts, and the maximum. */
function Limit(): ReactNode {
  const t = useT()
  const limit = useQuery({
    queryKey: ['organisation', 'limit'],
    queryFn: async () => JSON.parse(await api.getServerSetting({ code: 'account_limit' })) as number,
  })
  const all = useQuery({ queryKey: ['organisation', 'people', 'count', 'all'], queryFn: () => api.countPeople({}) })
  if (all.data === undefined || limit.data === undefined) return null
  const n = all.data.total
  return (
    <>
      {limit.data === 0 ? t('org.count', { n }) : t('org.countOf', { n, limit: limit.data })}{' '}
      <Button kind="link" onClick={() => void setLimit(limit.data, n)}>
        {t('org.limit')}
      </Button>
    </>
  )
}

/** The managers of the department. */
function Managers({ department }: { readonly department: Department }): ReactNode {
  const t = useT()
  const { accountName } = useSession().account
  const info = useQuery({
    queryKey: ['organisation', 'department', department.groupId, accountName],
    queryFn: () => api.getDepartment({ groupId: department.groupId }),
  })
  const names = info.data?.managers.map((manager) => manager.accountName) ?? []
  return (
    <Button
      className="or-managers"
      kind="ghost"
      size="small"
      icon={<PeopleEdit16Regular />}
      onClick={() => void setManagers(department)}
    >
      <span>{names.length === 0 ? t('org.managers.none') : t('org.managers.are', { names: names.join('、') })}</span>
    </Button>
  )
}
