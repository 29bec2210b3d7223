type Status = string;

interface TestFile {
  readonly name: string;
  readonly status: Status;
  readonly assertionResults: readonly { readonly status: Status; readonly fullName: string }[];
  readonly startTime: number;
  readonly endTime: number;
}

export interface TestRun {
  readonly success: boolean;
  readonly files: readonly TestFile[];
}

export function repeatableFiles(result: TestRun | undefined): string[];
export function summarize(
  result: TestRun | undefined,
  repeated: TestRun | undefined,
): { readonly passed: number; readonly failed: number; readonly lines: readonly string[] };
