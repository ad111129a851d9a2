import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';
import type { Settings } from './config.ts';
import type { WarningLog } from './connect.ts';
import { maskedUrl } from './domain/text/masked-url.ts';

/**
 * The version of this worker, where the settings name its build. Partitions stay on the version that they began on. All
 * other workflows go to the current version of the deployment.
 */
export const versionOptions = ({
  worker: { buildId, deployment: deploymentName },
}: Settings): Readonly<{ workerDeploymentOptions?: WorkerDeploymentOptions }> =>
  buildId === undefined
    ? {}
    : {
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: { buildId, deploymentName },
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      };

type Versioned = Readonly<{ namespace: string; settings: Settings }>;

/** Logs a warning when the version of this worker is not the current one: Temporal gives it no new work then. */
export async function warnIfNotCurrent(
  connection: NativeConnection,
  { namespace, settings }: Versioned,
  log: WarningLog,
): Promise<void> {
  const { buildId, deployment: deploymentName } = settings.worker;
  if (buildId === undefined) return;
  const current = await currentBuild(connection, { namespace, deploymentName }).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ reason: maskedUrl(reason) }, 'the current version of the workers cannot be read');
      return buildId;
    },
  );
  if (current === buildId) return;
  log.warn(
    {
      buildId,
      current: current ?? null,
      command: `temporal worker deployment set-current-version --deployment-name ${deploymentName} --build-id ${buildId}`,
    },
    'this version of the workers is not the current one, so this worker gets no new work',
  );
}

type Deployment = Readonly<{ namespace: string; deploymentName: string }>;

/** gRPC's code of an answer about something that is not there. */
const NOT_FOUND = 5;

/** The build of the current version; undefined: the deployment has none, or is not known yet. */
async function currentBuild(
  connection: NativeConnection,
  deployment: Deployment,
): Promise<string | undefined> {
  try {
    const { workerDeploymentInfo: info } =
      await connection.workflowService.describeWorkerDeployment(deployment);
    return info?.routingConfig?.currentDeploymentVersion?.buildId ?? undefined;
  } catch (error) {
    if ((error as Readonly<{ code?: number }>).code === NOT_FOUND) return undefined;
    throw error;
  }
}
