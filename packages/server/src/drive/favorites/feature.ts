// The favourites feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createMarks } from '../follow/index.ts'
import { favoriteAudience, favoriteHandlers } from './index.ts'
import { favoriteTables } from './tables.ts'

export const favorites = feature({
  wire: features.favorites,
  tables: favoriteTables,
  open: (services) => ({
    handlers: favoriteHandlers(createMarks(services)),
    audiences: { 'favorite.changed': favoriteAudience },
  }),
})
