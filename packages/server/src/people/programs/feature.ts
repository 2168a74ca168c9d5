// Feature: programs that act for an account with a token of their own.
import { features } from '@cloudoc/contract'
import { admissions } from '../../core/call/admission.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { programAdmission, programHandlers } from './index.ts'
import { serveTokens, tokenPaths } from './oauth.ts'

export const programs = feature({
  wire: features.programs,
  paths: tokenPaths,
  open: (services) => ({
    handlers: programHandlers(services),
    contributions: [contribute(admissions, programAdmission)],
    routes: (http, perform) => serveTokens(http, perform),
  }),
})
