// Feature: test events.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { testEventHandlers } from './index.ts'

export const testEvents = feature({
  wire: features.testEvents,
  open: (services) => ({ handlers: testEventHandlers(services) }),
})
