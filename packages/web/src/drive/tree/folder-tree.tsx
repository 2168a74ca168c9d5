// The libraries in sections, with their expanded folders: the tree of the files view and of the folder picker.
import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { isVirtualFolder, VirtualFolder } from '@cloudoc/domain'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useLinkedServers } from '../../core/session/linked-servers.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { FolderIcon, type FolderIconState } from '../../items/item/file-icon.tsx'
import { asFolder, type FolderRef, type ItemKey, keyOf } from '../../items/item/item.ts'
import { itemRecord } from '../../items/item/item-record.ts'
import { beginsWith } from '../../items/item/type-ahead.ts'
import type { FolderList } from '../../items/lists/folder-list.ts'
import { rootsAt, useRoots } from '../../items/lists/folder-queries.ts'
import { subfoldersOf } from '../../items/lists/lists.ts'
import { mayOpen, useOpenable } from '../../items/lists/openable-folders.ts'
import { ChevronRight12Regular } from '../../kit/icons.ts'
import { useTypeAhead } from '../../kit/use-type-ahead.ts'
import { allowDrop, performDrop, planDrop, useSpring } from '../drag/drag.ts'
import { LinkedHeading } from './linked-heading.tsx'
import { openTreeMenu } from './tree-menu.ts'
import { type TreeNode, type TreeRow, treeRows } from './tree-model.ts'
import './tree.css'

type Root = Answer<(typeof calls)['getRootFolderSetting']>['list'][number]

const childrenOf = (folder: FolderRef): FolderList => subfoldersOf(folder)

const sections = [
  { title: 'drive.tree.mine', kinds: ['personal'] },
  { title: 'drive.tree.colleagues', kinds: ['colleague'] },
  { title: 'drive.tree.company', kinds: ['company', 'department'] },
  { title: 'drive.tree.project', kinds: ['project'] },
  { title: 'drive.tree.archive', kinds: ['archive'] },
] as const

const ofKinds = (roots: readonly Root[], kinds: readonly string[]): readonly Root[] =>
  roots.filter((root) => kinds.includes(root.colleague ? 'colleague' : root.kind))

interface FolderTreeProps {
  readonly current: FolderRef | undefined
  /** The ancestors of the current folder. They are expanded to make it visible. */
  readonly above?: readonly ItemRecord[] | undefined
  readonly onGo: (node: TreeNode) => void
  /** Folders have context menus. Not in a picker. */
  readonly menus?: true
  /** The libraries of linked servers are shown below those of the main server ([R343]). */
  readonly linked?: true
}

type Section = { readonly key: string; readonly title: string; readonly heading: ReactNode; readonly rows: TreeRow[] }

/** The folder tree: for navigation, for choosing a folder, and as a drop target. */
export function FolderTree({ current, above, onGo, menus, linked }: FolderTreeProps): ReactNode {
  const t = useT()
  const roots = useRoots()
  const servers = useLinkedServers()
  const shownServers = linked ? servers : []
  const there = shownServers.filter(({ session }) => session === 'signedIn')
  const rootsThere = useQueries({ queries: there.map(rootsAt) })
  const currentKey = current && keyOf(asFolder(current))
  /** The expanded folders. */
  const [open, setOpen] = useState<ReadonlyMap<ItemKey, FolderRef>>(new Map())
  const pane = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (above === undefined || above.length === 0) return
    setOpen((before) => new Map([...before, ...above.map((folder) => [keyOf(folder), folder] as const)]))
  }, [above])

  const [, redraw] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    const lists = [...open.values()].map(childrenOf)
    const leave = lists.map((list) => list.subscribe(redraw))
    for (const list of lists) if (list.snapshot().status !== 'ready') void list.refresh()
    return () => {
      for (const stop of leave) stop()
    }
  }, [open])

  const rowsBelow = (libraries: readonly ItemRecord[]): TreeRow[] =>
    treeRows(libraries, (key) => open.has(key), childrenOf, mayOpen)
  const own = sections.flatMap(({ title, kinds }): Section[] => {
    const libraries = ofKinds(roots.data ?? [], kinds)
    if (libraries.length === 0) return []
    const rows = rowsBelow(libraries.map((root) => itemOfRoot(root)))
    return [{ key: title, title: t(title), heading: <h2>{t(title)}</h2>, rows }]
  })
  const linkedSections = shownServers.map((server): Section => {
    const { serverId, serverName } = server
    const read = rootsThere[there.indexOf(server)]
    const isEmpty = read?.data?.length === 0
    const heading = (
      <LinkedHeading server={server} isEmpty={isEmpty} failed={read?.error ?? null} hasMenu={menus === true} />
    )
    // One list, in the order of the sections above: the user's own library first.
    const libraries = sections.flatMap(({ kinds }) => ofKinds(read?.data ?? [], kinds))
    const rows = rowsBelow(libraries.map((root) => itemOfRoot(root, serverId)))
    return { key: `s${serverId}`, title: t('linked.server', { name: serverName }), heading, rows }
  })
  const groups = [...own, ...linkedSections]
  const nodes = groups.flatMap((group) => group.rows).filter((row): row is TreeNode => 'folder' in row)
  useOpenable(nodes.flatMap(({ open: isOpen, folder }) => (isOpen ? [] : [folder])))
  const focusable = nodes.find((node) => keyOf(node.folder) === currentKey) ?? nodes[0]

  const toggle = (folder: FolderRef, to?: boolean): void =>
    setOpen((before) => {
      const key = keyOf(asFolder(folder))
      const after = new Map(before)
      if (to ?? !before.has(key)) after.set(key, folder)
      else after.delete(key)
      return after
    })
  const focusRow = (key: ItemKey | undefined): void =>
    pane.current?.querySelector<HTMLElement>(`[data-folder="${key}"]`)?.focus()
  const focusNode = (node: TreeNode | undefined): void => focusRow(node && keyOf(node.folder))
  const typeAhead = useTypeAhead()
  /** Type-ahead: returns the next matching visible row and wraps around at the end, as in desktop trees. */
  const named = (at: number, text: string, fromFocus: boolean): TreeNode | undefined => {
    const start = fromFocus ? at : at + 1
    return [...nodes.slice(start), ...nodes.slice(0, start)].find(({ folder }) => beginsWith(folder, text))
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const { folder: key } = (event.target as HTMLElement).dataset
    const at = nodes.findIndex((node) => keyOf(node.folder) === key)
    const node = nodes[at]
    if (node === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => focusNode(nodes[at + 1]),
      ArrowUp: () => focusNode(nodes[at - 1]),
      Home: () => focusNode(nodes[0]),
      End: () => focusNode(nodes.at(-1)),
      ArrowRight: () => {
        if (node.open) focusNode(nodes[at + 1])
        else if (node.mayOpen !== false) toggle(node.folder, true)
      },
      ArrowLeft: () => (node.open ? toggle(node.folder, false) : focusRow(node.parentKey)),
      Enter: () => onGo(node),
      ' ': () => onGo(node),
    }
    const typed = typeAhead(event)
    const act = typed === undefined ? acts[event.key] : () => focusNode(named(at, typed.text, typed.fromFocus))
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <div ref={pane}>
      {groups.map(({ key, title, heading, rows }) => (
        <section key={key}>
          {heading}
          <ul role="tree" aria-label={title} onKeyDown={onKeyDown}>
            {rows.map((row) =>
              'folder' in row ? (
                <Node
                  key={keyOf(row.folder)}
                  node={row}
                  current={keyOf(row.folder) === currentKey}
                  focusable={row === focusable}
                  onToggle={toggle}
                  onGo={onGo}
                  hasMenu={menus === true}
                />
              ) : (
                <More key={`more-${keyOf(row.moreOf)}`} row={row} />
              ),
            )}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Returns a library as an item for the gates. The gates of a drop need no other fields. */
function itemOfRoot(root: Root, serverId = mainServer.serverId): ItemRecord {
  return itemRecord({
    serverId,
    fId: root.fId,
    fName: root.fName,
    nameSort: root.nameSort,
    fType: 2,
    itemIdStr: root.itemIdStr,
    rights: root.rights,
    ...(root.colleague && { colleague: true as const }),
    parentFolderId: root.colleague
      ? VirtualFolder.colleagues
      : root.kind === 'personal'
        ? VirtualFolder.mine
        : VirtualFolder.company,
  })
}

interface NodeProps {
  readonly node: TreeNode
  readonly current: boolean
  readonly focusable: boolean
  readonly onToggle: (folder: FolderRef, to?: boolean) => void
  readonly onGo: (node: TreeNode) => void
  readonly hasMenu: boolean
}

function Node({ node, current, focusable, onToggle, onGo, hasMenu }: NodeProps): ReactNode {
  const t = useT()
  const context = useActionContext()
  const [drop, setDrop] = useState(false)
  const spring = useSpring()
  const { folder, depth, open, mayOpen } = node
  const classes = ['dr-node', current ? 'is-current' : '', drop ? 'is-drop' : '']
  const leave = (): void => {
    spring.leave()
    setDrop(false)
  }
  const inVirtual = isVirtualFolder(folder.parentFolderId)
  const look: FolderIconState = !inVirtual
    ? 'plain'
    : folder.parentFolderId === VirtualFolder.mine
      ? 'personal'
      : 'library'
  return (
    <li
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={mayOpen ? open : undefined}
      aria-selected={current}
      className={classes.join(' ')}
      style={{ paddingInlineStart: 8 + depth * 16 }}
      tabIndex={focusable ? 0 : -1}
      data-folder={keyOf(folder)}
      title={folder.fName}
      onClick={() => onGo(node)}
      onContextMenu={(event) => {
        if (!hasMenu) return
        event.preventDefault()
        const { left, bottom } = event.currentTarget.getBoundingClientRect()
        // The menu key has no pointer position.
        const at = event.clientX === 0 ? { x: left + 24, y: bottom } : { x: event.clientX, y: event.clientY }
        void openTreeMenu(folder, context, at)
      }}
      onDragOver={(event) => {
        const plan = planDrop(event, folder, context)
        allowDrop(event, plan)
        setDrop(plan !== undefined && plan.reason === undefined)
        if (!open && mayOpen !== false) spring.rest(keyOf(folder), () => onToggle(folder, true))
      }}
      onDragLeave={leave}
      onDrop={(event) => {
        leave()
        performDrop(event, planDrop(event, folder, context))
      }}
    >
      {/* Arrow keys on the row expand and collapse it. The arrow icon is for the pointer only. */}
      <span
        className={`dr-twist${open ? ' is-open' : ''}`}
        title={mayOpen ? t(open ? 'drive.tree.close' : 'drive.tree.open') : undefined}
        onClick={(event) => {
          event.stopPropagation()
          if (mayOpen !== false) onToggle(folder)
        }}
      >
        {mayOpen && <ChevronRight12Regular />}
      </span>
      <FolderIcon size={16} look={look} />
      <span className="dr-node-name">{folder.fName}</span>
    </li>
  )
}

function More({ row }: { readonly row: Exclude<TreeRow, TreeNode> }): ReactNode {
  const t = useT()
  return (
    <li role="none" style={{ paddingInlineStart: 28 + row.depth * 16 }}>
      <button
        type="button"
        className="dr-more"
        onClick={() => {
          const list = childrenOf(row.moreOf)
          const next = list.snapshot().items.indexOf(undefined)
          void list.ensure(next, next + 200)
        }}
      >
        {t('drive.tree.more')}
      </button>
    </li>
  )
}
