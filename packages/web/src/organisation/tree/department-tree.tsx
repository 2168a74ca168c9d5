// The department tree: loaded level by level, with keyboard navigation and search.

import { useQuery } from '@tanstack/react-query'
import { type DragEvent, type KeyboardEvent, type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { MenuAt } from '../../core/menu/menu.ts'
import { Building16Regular, ChevronDown12Regular, ChevronRight12Regular, Search16Regular } from '../../kit/icons.ts'
import { type Department, departmentsBelow } from '../shared/organisation-queries.ts'

/** The drop position: into a department, or before or behind it. */
export type DropPosition = 'in' | 'before' | 'behind'
/** The drag data: a department of this tree, or users of the list. */
export const dragged: { group?: Department | undefined; people?: boolean } = {}

export interface TreeProps {
  readonly label: string
  readonly selectedId: number | undefined
  readonly onSelect: (department: Department) => void
  readonly onMenu?: (department: Department, at: MenuAt) => void
  readonly onRename?: (department: Department) => void
  readonly onDrop?: (target: Department, where: DropPosition) => void
  /** Shows the number of users next to each name. */
  readonly counted?: boolean
}

/** The tree with a search field for departments. */
export function DepartmentTree(props: TreeProps): ReactNode {
  const t = useT()
  const [keyword, setKeyword] = useState('')
  const looked = useDeferredValue(keyword.trim())
  const company = useQuery(departmentsBelow(undefined))
  const found = useQuery({
    queryKey: ['organisation', 'departments', 'found', looked],
    queryFn: ({ signal }) => api.getDepartments({ keyword: looked, rows: 100 }, { signal }),
    enabled: looked !== '',
  })
  return (
    <div className="or-tree">
      <div className="k-input or-search">
        <Search16Regular />
        <input
          type="search"
          aria-label={t('org.tree.search')}
          placeholder={t('org.tree.search')}
          value={keyword}
          onChange={({ target }) => setKeyword(target.value)}
        />
      </div>
      {/* biome-ignore lint/a11y/useFocusableInteractive: its items take the focus. */}
      <div className="or-tree-items" role="tree" aria-label={props.label} onKeyDown={walk}>
        {looked === ''
          ? company.data?.list.map((department) => (
              <Branch key={department.groupId} {...props} department={department} depth={0} open />
            ))
          : found.data?.list.map((department) => (
              <Leaf key={department.groupId} {...props} department={department} depth={0} sub={department.path} />
            ))}
        {looked !== '' && found.data?.list.length === 0 && <p className="or-none">{t('org.tree.none')}</p>}
      </div>
    </div>
  )
}

/** Keyboard navigation up and down, as in any tree. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined || items[to] === undefined) return
  event.preventDefault()
  items[to].focus()
}

interface NodeProps extends TreeProps {
  readonly department: Department
  readonly depth: number
}

function Branch(props: NodeProps & { readonly open?: boolean }): ReactNode {
  const { department, depth } = props
  const [isOpen, setOpen] = useState(props.open ?? false)
  const hasBelow = department.below > 0
  const below = useQuery({ ...departmentsBelow(department.groupId), enabled: isOpen && hasBelow })
  return (
    <>
      <Leaf {...props} isOpen={hasBelow ? isOpen : undefined} onOpen={setOpen} />
      {isOpen &&
        hasBelow &&
        below.data?.list.map((each) => (
          <Branch key={each.groupId} {...props} department={each} depth={depth + 1} open={false} />
        ))}
    </>
  )
}

function whereIn(event: DragEvent<HTMLElement>): DropPosition {
  const { top, height } = event.currentTarget.getBoundingClientRect()
  const share = (event.clientY - top) / height
  if (dragged.people) return 'in'
  return share < 0.25 ? 'before' : share > 0.75 ? 'behind' : 'in'
}

interface LeafProps extends NodeProps {
  readonly isOpen?: boolean | undefined
  readonly onOpen?: (open: boolean) => void
  readonly sub?: string
}

function Leaf({ department, depth, isOpen, onOpen, sub, counted, ...props }: LeafProps): ReactNode {
  const t = useT()
  const { selectedId, onSelect, onMenu, onRename, onDrop } = props
  const [over, setOver] = useState<DropPosition>()
  const { groupId, groupName, parentId } = department
  const isRoot = parentId === 0
  const people = useQuery({
    queryKey: ['organisation', 'counts', groupId],
    queryFn: () => countOf(groupId),
    enabled: counted === true,
  })
  const takes = onDrop !== undefined && over !== undefined
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { key } = event
    if (key === 'Enter' || key === ' ') onSelect(department)
    else if (key === 'ArrowRight' && isOpen === false) onOpen?.(true)
    else if (key === 'ArrowLeft' && isOpen === true) onOpen?.(false)
    else if (key === 'F2' && onRename) onRename(department)
    else if ((key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) && onMenu) {
      const { left, bottom } = event.currentTarget.getBoundingClientRect()
      onMenu(department, { x: left + 24, y: bottom })
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className={[
        'or-node',
        selectedId === groupId && 'is-current',
        takes && `is-over-${over}`,
        sub !== undefined && 'is-found',
      ]
        .filter(Boolean)
        .join(' ')}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={selectedId === groupId}
      aria-expanded={isOpen}
      tabIndex={selectedId === groupId || (selectedId === undefined && isRoot) ? 0 : -1}
      style={{ paddingInlineStart: 8 + depth * 16 }}
      draggable={onDrop !== undefined && !isRoot}
      onClick={() => onSelect(department)}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        if (onMenu === undefined) return
        event.preventDefault()
        onMenu(department, { x: event.clientX, y: event.clientY })
      }}
      onDragStart={(event) => {
        dragged.group = department
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', groupName)
      }}
      onDragEnd={() => {
        dragged.group = undefined
      }}
      onDragOver={(event) => {
        if (onDrop === undefined || (dragged.group === undefined && !dragged.people)) return
        if (dragged.group?.groupId === groupId) return
        event.preventDefault()
        const where = whereIn(event)
        setOver(isRoot ? 'in' : where)
      }}
      onDragLeave={() => setOver(undefined)}
      onDrop={(event) => {
        event.preventDefault()
        if (over !== undefined) onDrop?.(department, over)
        setOver(undefined)
      }}
    >
      {isOpen === undefined ? (
        <span className="or-twist" />
      ) : (
        <button
          type="button"
          className="or-twist"
          tabIndex={-1}
          aria-label={t(isOpen ? 'org.tree.close' : 'org.tree.open', { name: groupName })}
          onClick={(event) => {
            event.stopPropagation()
            onOpen?.(!isOpen)
          }}
        >
          {isOpen ? <ChevronDown12Regular /> : <ChevronRight12Regular />}
        </button>
      )}
      {isRoot && <Building16Regular />}
      <span className="or-node-name" title={sub ?? groupName}>
        {groupName}
        {sub !== undefined && <small>{sub}</small>}
      </span>
      {people.data !== undefined && <small className="or-count">{people.data}</small>}
    </div>
  )
}

let asked: { readonly ids: number[]; readonly answer: Promise<ReadonlyMap<number, number>> } | undefined

/** The number of users in a department. Concurrent requests are batched. */
async function countOf(groupId: number): Promise<number> {
  if (asked === undefined) {
    const ids: number[] = []
    // All rows of one render request their counts in the same tick.
    const answer = Promise.resolve().then(async () => {
      asked = undefined
      const { list } = await api.countDepartments({ groupIds: ids })
      return new Map(list.map(({ groupId: id, people }) => [id, people]))
    })
    asked = { ids, answer }
  }
  asked.ids.push(groupId)
  return (await asked.answer).get(groupId) ?? 0
}
