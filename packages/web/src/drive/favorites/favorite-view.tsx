// The page /doc/folder/favorite ([R238]): the user's favourites.
import { fullTime, shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { favoritesOf } from '../../items/lists/lists.ts'
import { rowDetailsOf } from '../../items/lists/ordered-source.ts'
import type { ItemColumn } from '../files/grid/columns.ts'
import { FlatList } from '../files/grid/flat-list.tsx'
import { flatListColumnsWith } from '../files/grid/flat-list-columns.ts'

const changed: ItemColumn = {
  id: 'changed',
  label: 'drive.column.time',
  text: (item, now, locale) => shortTime(rowDetailsOf('favorites', item).changed ?? item.modifyTime, now, locale),
  title: (item) => fullTime(rowDetailsOf('favorites', item).changed ?? item.modifyTime),
}
const columns = flatListColumnsWith('favorites.time', { more: [changed], by: false })

export function FavoriteView(): ReactNode {
  const t = useT()
  const [keyword, onKeyword] = useState('')
  return (
    <FlatList
      list={favoritesOf(keyword)}
      keyword={keyword}
      onKeyword={onKeyword}
      grouped="kinds"
      module="favorite"
      label={t('favorites.title')}
      columns={columns}
      head={<h1>{t('favorites.title')}</h1>}
      nothing={t('favorites.nothing')}
      hint={t('favorites.hint')}
    />
  )
}
