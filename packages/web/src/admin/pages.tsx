// The administration in the main window: its entry in the rail, its navigation, its page. The frame is loaded when it is
// shown, together with the administration pages of all areas.

import { lazy, type ReactNode } from 'react'
import type { AdminPage, AreaRoute, RailEntry, Side } from '../core/area/area.ts'
import { loadChunk } from '../core/page/chunks.tsx'
import { Server20Filled, Server20Regular } from '../kit/icons.ts'
import { adminAddress, loadAdminPages } from './frame/admin-pages.ts'

const load = () => loadChunk(() => Promise.all([import('./frame/admin-frame.tsx'), loadAdminPages()]))

/** A part of the frame, with the pages it shows. */
const framePart = (part: 'Navigation' | 'Administration') =>
  lazy(async () => {
    const [frame, pages] = await load()
    const Part: (props: { readonly pages: readonly AdminPage[] }) => ReactNode = frame[part]
    return { default: () => <Part pages={pages} /> }
  })

export const routes: readonly AreaRoute[] = [
  { path: `${adminAddress}/*`, framed: true, page: framePart('Administration') },
]

export const sides: readonly Side[] = [{ path: adminAddress, label: 'admin.centre', pane: framePart('Navigation') }]

export const rail: readonly RailEntry[] = [
  {
    path: adminAddress,
    label: 'admin.title',
    icon: <Server20Regular />,
    current: <Server20Filled />,
    place: 90,
    // Each power opens at least one page.
    show: (powers) => powers.length > 0,
  },
]
