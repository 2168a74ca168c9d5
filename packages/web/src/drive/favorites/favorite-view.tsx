// The page /doc/folder/favorite ([R238]): what the person wants at hand.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { placedColumnsWith } from '../files/grid/placed-columns.ts'
import { PlacedList } from '../files/grid/placed-list.tsx'
import { favoritesOf } from '../lists/lists.ts'

const columns = placedColumnsWith('favorites.time', { by: false })

/** The page. */
export function FavoriteView(): ReactNode {
  const t = useT()
  return (
    <PlacedList
      list={favoritesOf()}
      module="favorite"
      label={t('favorites.title')}
      columns={columns}
      head={<h1>{t('favorites.title')}</h1>}
      nothing={t('favorites.nothing')}
      hint={t('favorites.hint')}
    />
  )
}
