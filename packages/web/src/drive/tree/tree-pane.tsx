// The pane next to the files: the folder tree, the recycle bin, and the used space at the bottom.
import { formatSize, VirtualFolder } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NavLink, useLocation, useNavigate, useSearchParams } from 'react-router'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { folderPath, readFilesAddress } from '../../items/item/item.ts'
import { primeFolder, useFolder, useRoots } from '../../items/lists/folder-queries.ts'
import { Delete16Regular, People16Regular } from '../../kit/icons.ts'
import { FolderTree } from './folder-tree.tsx'
import { QuickAccess } from './quick-access.tsx'

export function TreePane(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const location = useLocation()
  const [query] = useSearchParams()
  const roots = useRoots()

  const named = readFilesAddress(query)
  const home = roots.data?.find((root) => root.kind === 'personal' && !root.colleague) ?? roots.data?.[0]
  const inFiles = location.pathname === '/doc/folder/files'
  const current = !inFiles
    ? undefined
    : (named.folder ?? (named.items.length === 0 && home !== undefined ? { ...mainServer, fId: home.fId } : undefined))
  const info = useFolder(current)
  const isOwn = current?.serverId === mainServer.serverId

  return (
    <div className="dr-tree">
      <div className="dr-tree-scroll">
        <QuickAccess />
        <FolderTree
          current={current}
          above={current === undefined ? undefined : info.data?.ancestors}
          menus
          linked
          onGo={({ folder, ancestors }) => {
            primeFolder({ folder, ancestors })
            void navigate(folderPath(folder))
          }}
        />
      </div>
      <NavLink
        className={() => `dr-node is-bin${isOwn && current.fId === VirtualFolder.colleagues ? ' is-current' : ''}`}
        to={folderPath({ ...mainServer, fId: VirtualFolder.colleagues })}
      >
        <span className="dr-twist" />
        <People16Regular />
        <span className="dr-node-name">{t('drive.tree.colleagues')}</span>
      </NavLink>
      <NavLink className={({ isActive }) => `dr-node is-bin${isActive ? ' is-current' : ''}`} to="/doc/folder/recycle">
        <span className="dr-twist" />
        <Delete16Regular />
        <span className="dr-node-name">{t('drive.recycle')}</span>
      </NavLink>
      <Space />
    </div>
  )
}

/** The used share of the space from which a warning is shown. */
const nearlyFull = 0.9

function Space(): ReactNode {
  const t = useT()
  const { data } = useQuery({ queryKey: ['drive', 'space'], queryFn: () => api.getUseSpaceSizeInfo({}) })
  if (data === undefined) return null
  const share = data.total === 0 ? 0 : Math.min(1, data.used / data.total)
  return (
    <div className="dr-space">
      {data.total === 0
        ? t('drive.space.used', { used: formatSize(data.used, 1) })
        : t('drive.space.of', { used: formatSize(data.used, 1), total: formatSize(data.total, 1) })}
      {data.total > 0 && (
        <div className="dr-space-bar">
          <i className={share >= nearlyFull ? 'is-full' : ''} style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  )
}
