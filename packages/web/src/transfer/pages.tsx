// The pages of transfers, and their entry in the rail.

import { Navigate } from 'react-router'
import type { AreaRoute, RailEntry } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { ArrowSwap20Filled, ArrowSwap20Regular } from '../kit/icons.ts'

const loadTransfers = () => import('./screens/transfer-page.tsx')
const TransferPage = lazyPage(loadTransfers, 'TransferPage')

export const routes: readonly AreaRoute[] = [
  // A parent address without a child redirects to its first child (X39).
  { path: 'transfer', page: () => <Navigate to="/doc/folder/transfer/doing" replace /> },
  { path: 'transfer/doing', page: TransferPage, needs: 'transfer' },
  { path: 'transfer/done', page: TransferPage, needs: 'transfer' },
  { path: '/progress', page: lazyPage(loadTransfers, 'ProgressPage') },
]

export const rail: readonly RailEntry[] = [
  {
    path: '/doc/folder/transfer',
    label: 'drive.transfer',
    icon: <ArrowSwap20Regular />,
    current: <ArrowSwap20Filled />,
    place: 60,
    needs: 'transfer',
  },
]
