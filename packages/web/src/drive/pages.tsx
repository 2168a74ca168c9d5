// The pages of the drive, and its entries in the navigation rail.

import { Navigate } from 'react-router'
import type { AreaRoute, RailEntry, Side } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import {
  Delete20Filled,
  Delete20Regular,
  Folder20Filled,
  Folder20Regular,
  History20Filled,
  History20Regular,
} from '../kit/icons.ts'
import { FilesView } from './files/files-view.tsx'
import { RecycleView } from './recycle/recycle-view.tsx'
import { TreePane } from './tree/tree-pane.tsx'

const loadResults = () => import('./results/results-view.tsx')
const ResultsView = lazyPage(loadResults, 'ResultsView')
const FacetsPane = lazyPage(() => import('./results/facets-pane.tsx'), 'FacetsPane')
const loadRecent = () => import('./recent/recent-view.tsx')
const FavoriteView = lazyPage(() => import('./favorites/favorite-view.tsx'), 'FavoriteView')
const TagView = lazyPage(() => import('./tags/tag-view.tsx'), 'TagView')

const loadFollows = () => import('./follow/follow-view.tsx')
const WatchChanges = lazyPage(loadFollows, 'WatchChanges')
const WatchDownloads = lazyPage(loadFollows, 'WatchDownloads')

const loadShared = () => import('./rights/shared-view.tsx')
const SharedWithMe = lazyPage(loadShared, 'SharedWithMe')
const SharedByMe = lazyPage(loadShared, 'SharedByMe')

export const routes: readonly AreaRoute[] = [
  { path: 'files', page: FilesView, needs: 'files' },
  { path: 'search', page: ResultsView, needs: 'files' },
  { path: 'recycle', page: RecycleView, needs: 'recycle' },
  { path: 'cooperate/watch-change', page: WatchChanges, needs: 'follow' },
  { path: 'cooperate/watch-download', page: WatchDownloads, needs: 'follow' },
  { path: 'share/permission-shared', page: SharedWithMe },
  { path: 'share/permission-creation', page: SharedByMe },
  { path: 'favorite', page: FavoriteView, needs: 'files' },
  { path: 'tag', page: TagView, needs: 'files' },
  // A parent address without a child redirects to its first child (X39).
  { path: 'recently', page: () => <Navigate to="/doc/folder/recently/history" replace /> },
  { path: 'recently/history', page: lazyPage(loadRecent, 'RecentHistory'), needs: 'files' },
  { path: 'recently/locked', page: lazyPage(loadRecent, 'RecentLocked'), needs: 'files' },
  { path: 'recently/submit', page: lazyPage(loadRecent, 'RecentSubmit'), needs: 'files' },
  { path: 'recently/change', page: lazyPage(loadRecent, 'RecentChange'), needs: 'files' },
]

export const rail: readonly RailEntry[] = [
  {
    path: '/doc/folder/files',
    also: [
      'search',
      'favorite',
      'tag',
      'share/permission-',
      'share/link-creation',
      'share/link-shared',
      'cooperate/watch-',
    ].map((page) => `/doc/folder/${page}`),
    label: 'app.files',
    icon: <Folder20Regular />,
    current: <Folder20Filled />,
    place: 10,
    needs: 'files',
  },
  {
    path: '/doc/folder/recently',
    label: 'recent.title',
    icon: <History20Regular />,
    current: <History20Filled />,
    needs: 'files',
  },
  {
    path: '/doc/folder/recycle',
    label: 'app.recycle',
    icon: <Delete20Regular />,
    current: <Delete20Filled />,
    place: 70,
    needs: 'recycle',
  },
]

export const sides: readonly Side[] = [
  { path: '/doc/folder/search', label: 'search.of', pane: FacetsPane, needs: 'files' },
  { path: '/doc/folder', label: 'app.tree', pane: TreePane, needs: 'files' },
]
