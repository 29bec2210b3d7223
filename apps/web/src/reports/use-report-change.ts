import { useChange, type Change } from '../data/use-change.ts';
import { refreshReports } from './report-data.ts';

/** Makes changes to reports. */
export const useReportChange = (): Change => useChange(refreshReports);
