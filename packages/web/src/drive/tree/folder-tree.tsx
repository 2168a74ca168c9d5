// The libraries in sections, with their expanded folders: the tree of the files view and of the folder picker.
import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { isVirtualFolder, VirtualFolder } from '@cloudoc/domain'
import { ChevronRight12Regular } from '@fluentui/react-icons'
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { FolderIcon, type FolderIconState } from '../../items/item/file-icon.tsx'
import { keyOf } from '../../items/item/item.ts'
import { itemRecord } from '../../items/item/item-record.ts'
import { beginsWith } from '../../items/item/type-ahead.ts'
import type { FolderList } from '../../items/lists/folder-list.ts'
import { useRoots } from '../../items/lists/folder-queries.ts'
import { subfoldersOf } from '../../items/lists/lists.ts'
import { mayOpen, useOpenable } from '../../items/lists/openable-folders.ts'
import { useTypeAhead } from '../../kit/use-type-ahead.ts'
import { allowDrop, performDrop, planDrop, useSpring } from '../drag/drag.ts'
import { openTreeMenu } from './tree-menu.ts'
import { type TreeNode, type TreeRow, treeRows } from './tree-model.ts'
import './tree.css'

type Root = Answer<(typeof calls)['getRootFolderSetting']>['list'][number]

/** The subfolders of a folder. The tree shows the folders of the main server. */
const childrenOf = (folderId: number): FolderList => subfoldersOf({ ...mainServer, fId: folderId })

const sections = [
  { title: 'drive.tree.mine', kinds: ['personal'] },
  { title: 'drive.tree.colleagues', kinds: ['colleague'] },
  { title: 'drive.tree.company', kinds: ['company', 'department'] },
  { title: 'drive.tree.project', kinds: ['project'] },
  { title: 'drive.tree.archive', kinds: ['archive'] },
] as const

interface FolderTreeProps {
  readonly currentId: number | undefined
  /** The ancestors of the current folder. They are expanded to make it visible. */
  readonly above?: readonly ItemRecord[] | undefined
  readonly onGo: (node: TreeNode) => void
  /** Folders have context menus. Not in a picker. */
  readonly menus?: true
}

/** The folder tree: for navigation, for choosing a folder, and as a drop target. */
export function FolderTree({ currentId, above, onGo, menus }: FolderTreeProps): ReactNode {
  const t = useT()
  const roots = useRoots()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const pane = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (above === undefined || above.length === 0) return
    setOpen((before) => new Set([...before, ...above.map((folder) => folder.fId)]))
  }, [above])

  const [, redraw] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    const lists = [...open].map((folderId) => childrenOf(folderId))
    const leave = lists.map((list) => list.subscribe(redraw))
    for (const list of lists) if (list.snapshot().status !== 'ready') void list.refresh()
    return () => {
      for (const stop of leave) stop()
    }
  }, [open])

  const groups = sections.flatMap(({ title, kinds }) => {
    const libraries = (roots.data ?? []).filter((root) =>
      (kinds as readonly string[]).includes(root.colleague ? 'colleague' : root.kind),
    )
    if (libraries.length === 0) return []
    return [{ title, rows: treeRows(libraries.map(itemOfRoot), (id) => open.has(id), childrenOf, mayOpen) }]
  })
  const nodes = groups.flatMap((group) => group.rows).filter((row): row is TreeNode => 'folder' in row)
  useOpenable(nodes.flatMap(({ open: isOpen, folder }) => (isOpen ? [] : [folder.fId])))
  const focusable = nodes.find((node) => node.folder.fId === currentId) ?? nodes[0]

  const toggle = (folderId: number, to?: boolean): void =>
    setOpen((before) => {
      const after = new Set(before)
      if (to ?? !before.has(folderId)) after.add(folderId)
      else after.delete(folderId)
      return after
    })
  const focusRow = (folderId: number | undefined): void =>
    pane.current?.querySelector<HTMLElement>(`[data-folder="${folderId}"]`)?.focus()
  const typeAhead = useTypeAhead()
  /** Type-ahead: returns the next matching visible row and wraps around at the end, as in desktop trees. */
  const named = (at: number, text: string, fromFocus: boolean): TreeNode | undefined => {
    const start = fromFocus ? at : at + 1
    return [...nodes.slice(start), ...nodes.slice(0, start)].find(({ folder }) => beginsWith(folder, text))
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const id = Number((event.target as HTMLElement).dataset.folder)
    const at = nodes.findIndex((node) => node.folder.fId === id)
    const node = nodes[at]
    if (node === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => focusRow(nodes[at + 1]?.folder.fId),
      ArrowUp: () => focusRow(nodes[at - 1]?.folder.fId),
      Home: () => focusRow(nodes[0]?.folder.fId),
      End: () => focusRow(nodes.at(-1)?.folder.fId),
      ArrowRight: () => {
        if (node.open) focusRow(nodes[at + 1]?.folder.fId)
        else if (node.mayOpen !== false) toggle(id, true)
      },
      ArrowLeft: () => (node.open ? toggle(id, false) : focusRow(node.parentId)),
      Enter: () => onGo(node),
      ' ': () => onGo(node),
    }
    const typed = typeAhead(event)
    const act =
      typed === undefined ? acts[event.key] : () => focusRow(named(at, typed.text, typed.fromFocus)?.folder.fId)
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <div ref={pane}>
      {groups.map(({ title, rows }) => (
        <section key={title}>
          <h2>{t(title)}</h2>
          <ul role="tree" aria-label={t(title)} onKeyDown={onKeyDown}>
            {rows.map((row) =>
              'folder' in row ? (
                <Node
                  key={row.folder.fId}
                  node={row}
                  current={row.folder.fId === currentId}
                  focusable={row === focusable}
                  onToggle={toggle}
                  onGo={onGo}
                  hasMenu={menus === true}
                />
              ) : (
                <More key={`more-${row.moreOf}`} row={row} />
              ),
            )}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Returns a library as an item for the gates. The gates of a drop need no other fields. */
function itemOfRoot(root: Root): ItemRecord {
  return itemRecord({
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
  readonly onToggle: (folderId: number, to?: boolean) => void
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
      data-folder={folder.fId}
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
        if (!open && mayOpen !== false) spring.rest(keyOf(folder), () => onToggle(folder.fId, true))
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
          if (mayOpen !== false) onToggle(folder.fId)
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
