// Feature: the company.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { companyHandlers } from './index.ts'

export const company = feature({
  wire: features.company,
  open: (services) => ({ handlers: companyHandlers(services) }),
})
