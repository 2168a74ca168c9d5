// The company as a tree of check boxes: departments with their people, or roles with theirs ([R348]).

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Building16Regular, ChevronRight12Regular, Tag16Regular } from '../../kit/icons.ts'
import { InitialsAvatar, type Subject, subjectKey } from '../../people/index.ts'

export type TreeOf = 'group' | 'role'

interface PeopleTreeProps {
  readonly of: TreeOf
  readonly chosen: readonly Subject[]
  readonly onChange: (chosen: readonly Subject[]) => void
  /** Not offered: the user themselves. */
  readonly without: number
}

/** The subjects below a department or role; the top level for id 0. */
const belowOf = (of: TreeOf, id: number) => ({
  queryKey: ['people', 'tree', of, id],
  staleTime: 60_000,
  queryFn: async (): Promise<readonly Subject[]> => {
    if (of === 'role' && id === 0) {
      const { list } = await api.getRoleList({})
      return list.map(({ roleId, roleName }) => ({ type: 'role', id: roleId, name: roleName }))
    }
    return (await api.getSubItemList({ parentType: of, parentId: id })).list
  },
})

export function PeopleTree(props: PeopleTreeProps): ReactNode {
  const t = useT()
  return (
    <div className="ur-tree" role="group" aria-label={t(props.of === 'group' ? 'urge.tree.group' : 'urge.tree.role')}>
      <Branch {...props} id={0} depth={0} />
    </div>
  )
}

type BranchProps = PeopleTreeProps & { readonly id: number; readonly depth: number }

function Branch(props: BranchProps): ReactNode {
  const { of, id, depth } = props
  const t = useT()
  const { data, error } = useQuery(belowOf(of, id))
  if (error !== null) return <p className="ur-tree-note">{error.message}</p>
  if (data === undefined) return <p className="ur-tree-note">{t('approvals.loading')}</p>
  if (data.length === 0)
    return depth === 0 ? (
      <p className="ur-tree-note">{t(of === 'role' ? 'urge.tree.noRoles' : 'urge.tree.none')}</p>
    ) : null
  return data
    .filter((one) => one.type !== 'user' || one.id !== props.without)
    .map((one) => <Node key={subjectKey(one)} {...props} subject={one} depth={depth} />)
}

function Node(props: BranchProps & { readonly subject: Subject }): ReactNode {
  const { subject, depth, chosen, onChange } = props
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const isChosen = chosen.some((one) => subjectKey(one) === subjectKey(subject))
  const { type, id, name } = subject
  const toggle = (): void =>
    onChange(isChosen ? chosen.filter((one) => subjectKey(one) !== subjectKey(subject)) : [...chosen, subject])
  return (
    <>
      <div className="ur-node" style={{ paddingInlineStart: `${8 + depth * 16}px` }}>
        {type === 'user' ? (
          <i />
        ) : (
          <button
            type="button"
            className={isOpen ? 'is-open' : undefined}
            aria-expanded={isOpen}
            aria-label={t(isOpen ? 'urge.tree.close' : 'urge.tree.open', { name })}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight12Regular />
          </button>
        )}
        <label>
          <input type="checkbox" checked={isChosen} onChange={toggle} />
          {type === 'user' ? (
            <InitialsAvatar id={id} name={name} />
          ) : type === 'group' ? (
            <Building16Regular />
          ) : (
            <Tag16Regular />
          )}
          <span title={name}>{name}</span>
        </label>
      </div>
      {isOpen && <Branch {...props} of={type === 'role' ? 'role' : 'group'} id={id} depth={depth + 1} />}
    </>
  )
}
